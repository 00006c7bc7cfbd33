"use strict";

/**
 * Which part may import which: `npx depcruise src bindings stacks` prints what breaks a rule.
 * docs/design has the picture. A type is an import too: it couples as much.
 */

const slice = "^src/(ids|workspace|signing)/";
/** The constructs of a slice, with their words and rules, stand in its folder itself or in these. */
const sliceConstructs =
  "^src/(ids|workspace|signing)/((resource|data|words|rule|predicate)/)?[^/]+$";
/** How things are called: for declarations and back ends alike. */
const names = "^src/signing/reference/";
const runtime = "^src/(provider-kit|cli|http)/|^src/[^/]+/(provider|backend|local)/";

const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: "^(src|bindings|stacks)/", pathNot: [from, ...allowed] },
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two files that need each other are one; types may refer to each other.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    only("schema-stands-alone", "What can be declared knows nothing of us.", "^src/schema/", []),
    only("http-on-schema", "How backends speak HTTP knows no service.", "^src/http/", [
      "^src/schema/",
    ]),
    only("construct-on-schema", "What constructs share knows no slice.", "^src/construct/", [
      "^src/schema/",
    ]),
    only("provider-kit-on-schema", "The kit knows no slice.", "^src/provider-kit/", [
      "^src/schema/",
    ]),
    only("declare-on-schema", "A declaration is data.", "^src/[^/]+/declare/", [
      "^src/schema/",
      names,
    ]),
    only("names-stand-alone", "The grammar of names is pure.", names, []),
    only("slice-constructs", "Constructs reach no provider code.", sliceConstructs, [
      "^src/(schema|construct)/",
      "^src/[^/]+/(declare|product)/",
      names,
      "^bindings/",
    ]),
    only("product", "How a product speaks is data.", "^src/[^/]+/product/", [
      "^src/(schema|construct)/",
    ]),
    only(
      "backend-stands-alone",
      "A client of a service knows no Terraform.",
      "^src/[^/]+/backend/",
      ["^src/(schema|http)/", names],
    ),
    only(
      "local-stands-alone",
      "An embedded back end is a server of its own; encodings and the names of variables are the same for both.",
      "^src/[^/]+/local/",
      [
        "^src/(schema|http)/",
        names,
        "^src/workspace/backend/environment-variables\\.ts$",
        "^src/signing/backend/(der|json)/",
      ],
    ),
    only("provider", "Providers reach no constructs and no bindings.", "^src/[^/]+/provider/", [
      "^src/(schema|provider-kit|http)/",
      "^src/[^/]+/(declare|backend)/",
      names,
    ]),
    only("index", "The entry only gathers the slices.", "^src/index\\.ts$", [
      "^src/(schema|construct)/",
      sliceConstructs,
    ]),
    only("stacks-on-the-package", "Stacks use what users can use.", "^stacks/", [
      "^src/index\\.ts$",
    ]),
    {
      name: "slices-apart",
      comment: "Slices never import each other; stacks join them.",
      severity: "error",
      from: { path: slice },
      to: { path: slice, pathNot: "^src/$1/" },
    },
    {
      name: "bindings-for-constructs",
      comment: "Generated bindings are seen by constructs of a slice alone.",
      severity: "error",
      from: { path: "^(src|stacks)/", pathNot: sliceConstructs },
      to: { path: "^bindings/" },
    },
    {
      name: "one-binding-file",
      comment: "A provider's index loads all its bindings: name the file that is needed.",
      severity: "error",
      from: { path: "^(src|stacks)/" },
      to: { path: "^bindings/providers/[^/]+/(lazy-)?index\\.ts$" },
    },
    {
      name: "providers-without-cdktf",
      comment: "What Terraform starts must not load cdktf.",
      severity: "error",
      from: { path: `${runtime}|^src/schema/|^src/[^/]+/declare/`, pathNot: "^src/cli/" },
      to: { path: "node_modules/(cdktf|constructs)/" },
    },
    {
      name: "constructs-are-light",
      comment: "A user's app loads cdktf, constructs and us, nothing else.",
      severity: "error",
      from: {
        path: `^src/(construct|schema)/|^src/index\\.ts$|^src/[^/]+/(declare|product)/|${sliceConstructs}|^stacks/`,
      },
      to: {
        path: "node_modules/",
        pathNot: "node_modules/(cdktf|constructs|zod|re2js|@types/node)/",
      },
    },
    {
      name: "zod-in-schema",
      comment: "Rules are built with what src/schema/zod.ts gives them.",
      severity: "error",
      from: { path: "^(src|stacks)/", pathNot: "^src/schema/" },
      to: { path: "node_modules/zod/" },
    },
    {
      name: "re2js-in-one-file",
      comment: "The published build inlines that file: nobody else can count on the package.",
      severity: "error",
      from: {
        path: "^(src|stacks)/",
        // What only providers load is bundled with them.
        pathNot:
          "^src/workspace/declare/grammar/re2\\.ts$|^src/signing/backend/verify/identity-rule\\.ts$",
      },
      to: { path: "node_modules/re2js/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules|^dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "require", "default"],
    },
  },
};
