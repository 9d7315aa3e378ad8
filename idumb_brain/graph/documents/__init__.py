"""What documents lead to, and what they say that is no longer so. Reads the index and looks at the disk; changes nothing.

``relate`` tells all of it, ``leads`` only where they lead to. ``links`` follows links, ``sites`` knows who renders a document,
``claims`` checks what is said in code and numbers, ``manifests`` reads what that is checked against, ``ground`` is the project
they all stand on.
"""

from idumb_brain.graph.documents.relate import Related, leads, relate

__all__ = ["Related", "leads", "relate"]
