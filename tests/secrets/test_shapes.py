"""What is taken out of text, and what is let be."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idumb_brain.store.secrets import MARK, by_name, redacted, without_secrets
from tests.secrets.made_up import Made, secrets

KINDS = [one.kind for one in secrets(random.Random(1))]
HARMLESS = [
    "def test_should_return_200_when_the_user_is_known_and_2fa_is_off(self): ...",
    'token = "SOME_TOKEN_NAME_OF_VERSION_2"',
    "auth_url = 'https://example.org/a/very/long/path/v2/oauth2/authorize'",
    '"integrity": "sha512-' + "q7z/Xk1" * 12 + '=="',
    "commit 3f786850e387550fdab836ed7e6dc881de23001b broke the token parser",
    "password = os.environ['DATABASE_PASSWORD_2024_ROTATED']",
    "secret: ${{ secrets.DEPLOY_KEY_2_FOR_STAGING }}",
    "sk-learn-contrib-and-others, task-management-in-2024",
    "postgres://user:${PASSWORD}@host/db",
    "postgres://user:password@host/db",
    "----- PRIVATE KEY of the house -----",
    "import com.example.token2.AuthenticationTokenProviderV2Factory;",
    "data:image/png;base64," + "iVBORw0KGgo" * 3,
]
FILES = {
    ".env": True, "deploy/.env.production": True, ".env.example": False, "id_rsa": True, "id_rsa.pub": False, "ca.PEM": True,
    ".npmrc": True, "web/.netrc": True, ".pypirc": True, "home/.kube/config": True, "config": False, ".git/config": False,
    "credentials.json": True, "kubeconfig": True, "prod.tfvars": True, "prod.tfvars.sample": False, "monkey.py": False,
    "environment.ts": False, "src/secrets.py": False, "keys.md": False, "x/.docker/config.json": True,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10_000), before=st.text(max_size=30), after=st.text(max_size=30))
def test_nothing_of_a_secret_is_left(kind: str, seed: int, before: str, after: str) -> None:
    one = next(made for made in secrets(random.Random(seed)) if made.kind == kind)
    text = f"{before}\n{one.text}\n{after}"
    _is_clean(redacted(text), one)
    assert MARK.decode() in redacted(text) and redacted(redacted(text)) == redacted(text)
    source = text.encode("utf-8", "surrogatepass")
    clean = without_secrets(source)
    _is_clean(clean.decode("utf-8", "surrogatepass"), one)
    assert len(clean) == len(source) and without_secrets(clean) == clean
    assert [len(line) for line in clean.split(b"\n")] == [len(line) for line in source.split(b"\n")]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_none_is_let_be(text: str) -> None:
    assert redacted(text) == text
    assert without_secrets(text.encode()) == text.encode()


@pytest.mark.parametrize("path", FILES)
def test_files_by_name(path: str) -> None:
    assert by_name(path) is FILES[path]


def _is_clean(text: str, one: Made) -> None:
    assert not [core for core in one.core if core in text]
