// Counts of tokens of many texts by three tokenizers. Reads a JSON list of texts, writes a list of [o200k, cl100k, claude].
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [gpt, claude] = process.argv.slice(2).map((folder) => createRequire(join(folder, "package.json")));
const encodings = ["o200k_base", "cl100k_base"].map((name) => gpt(`gpt-tokenizer/encoding/${name}`));
const tokenizer = claude("@anthropic-ai/tokenizer").getTokenizer();
const special = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
const counts = JSON.parse(readFileSync(0, "utf8")).map((text) => [
  ...encodings.map((encoding) => encoding.encode(text, special).length),
  tokenizer.encode(text.normalize("NFKC"), "all").length,
]);
process.stdout.write(JSON.stringify(counts));
