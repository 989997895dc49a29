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

// Refusals are errors of one class, headers are the transport's, and examples are for pages: none is needed as a type.
function slim(document) {
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS.filter((each) => item[each])) {
      const operation = item[method];
      const responses = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
      for (const [, response] of responses) delete response.headers;
      operation.responses = Object.fromEntries(responses);
      operation.parameters = operation.parameters?.filter((each) => each.in !== "header");
    }
  }
  for (const name of ["webhooks", "tags"]) delete document[name];
  for (const name of ["headers", "examples"]) delete document.components[name];
  return dropExamples(document);
}

function dropExamples(part) {
  if (typeof part !== "object" || part === null) return part;
  for (const [name, each] of Object.entries(part)) {
    // A field may have such a name: then it is a schema, no list and beside no schema.
    if ((name === "examples" && Array.isArray(each)) || (name === "example" && part.schema)) delete part[name];
    else dropExamples(each);
  }
  return part;
}

const tree = await openapiTS(slim(JSON.parse(await readFile(source, "utf8"))), {
  transform(schema) {
    if (schema.format === "binary") return reference("Blob");
    if (schema[KNOWN_VALUES]) return factory.createUnionTypeNode([...schema[KNOWN_VALUES].map(text), anyText]);
  },
});
await writeFile(target, HEADER + astToString(tree));
