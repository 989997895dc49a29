// Writes src/api.ts from the OpenAPI document of a service: node generate.mjs DOCUMENT [FILE]
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const KNOWN_VALUES = "x-extensible-enum";
const METHODS = ["get", "post", "put", "patch", "delete"];
const HEADER = "// Made by generate.mjs from the OpenAPI document of the service; never edited by hand.\n\n";
const [source, target = fileURLToPath(new URL("src/api.ts", import.meta.url))] = process.argv.slice(2);

const { factory, SyntaxKind } = ts;
const reference = (name, types) => factory.createTypeReferenceNode(name, types);
const text = (value) => factory.createLiteralTypeNode(factory.createStringLiteral(value));

// Known values are offered by editors; every other text is allowed too.
const anyText = factory.createIntersectionTypeNode([
  factory.createKeywordTypeNode(SyntaxKind.StringKeyword),
  reference("Record", [factory.createKeywordTypeNode(SyntaxKind.NeverKeyword), factory.createKeywordTypeNode(SyntaxKind.NeverKeyword)]),
]);

// Refusals are errors of one class, and examples are for pages: neither is needed as a type.
function slim(document) {
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS.filter((each) => item[each])) {
      const responses = Object.entries(item[method].responses).filter(([status]) => status.startsWith("2"));
      for (const [, response] of responses) delete response.headers;
      item[method].responses = Object.fromEntries(responses);
    }
  }
  delete document.webhooks;
  delete document.components.headers;
  delete document.components.examples;
  return document;
}

const tree = await openapiTS(slim(JSON.parse(await readFile(source, "utf8"))), {
  transform(schema) {
    if (schema.format === "binary") return reference("Blob");
    if (schema[KNOWN_VALUES]) return factory.createUnionTypeNode([...schema[KNOWN_VALUES].map(text), anyText]);
  },
});
await writeFile(target, HEADER + astToString(tree));
