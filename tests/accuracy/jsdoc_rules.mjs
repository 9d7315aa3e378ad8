// What eslint-plugin-jsdoc says of files: JSON {root, files} in, [[file, line, rule, message]] out.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/package.json");
const { ESLint } = require("eslint");
const jsdoc = require("eslint-plugin-jsdoc");
const parser = require("@typescript-eslint/parser");
const { root, files } = JSON.parse(readFileSync(0, "utf8"));
const bare = jsdoc.default ?? jsdoc;
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  allowInlineConfig: false,
  ignore: false,
  overrideConfig: [
    {
      files: ["**/*.js", "**/*.mjs", "**/*.cjs", "**/*.ts", "**/*.tsx", "**/*.jsx"],
      plugins: { jsdoc: bare },
      languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
      rules: {
        "jsdoc/check-param-names": ["error", { checkDestructured: false, checkRestProperty: false }],
        "jsdoc/require-param": ["error", { checkDestructured: false, checkDestructuredRoots: false }],
        "jsdoc/require-returns-check": "error",
        "jsdoc/require-yields-check": "error",
      },
    },
  ],
});
const found = [];
for (const file of files) {
  let results;
  try {
    results = await eslint.lintText(readFileSync(`${root}/${file}`, "utf8"), { filePath: `${root}/${file}` });
  } catch (error) {
    found.push([file, 0, "crash", String(error)]);
    continue;
  }
  for (const result of results)
    for (const one of result.messages) found.push([file, one.line, one.ruleId ?? "parse", one.message]);
}
process.stdout.write(JSON.stringify(found));
