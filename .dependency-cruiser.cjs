"use strict";

/**
 * Which part may import which: `npx depcruise src stacks editors` prints what breaks a rule.
 *
 * Between floors the folder decides. Inside a slice, where a folder is a noun, the name of the file does:
 * `declare.ts` and `enums.ts` are data, `construct.ts`, `generated.ts`, `props.ts` and `rules.ts` run before synthesis,
 * `handlers.ts` and `configure.ts` run in the provider. What these reach through other files of the room
 * counts as well. A type is an import too: it couples as much.
 */

const providers = require("./scripts/providers.json");
const anySlice = providers.join("|");
const slices = `^src/core/(?:${anySlice})/`;
const declarations = `${slices}.+/(?:declare|enums)\\.ts$`;
const constructs = `${slices}(?:.+/(?:construct|generated|props|config|rules)|index)\\.ts$|^src/index\\.ts$`;
const handlers = `${slices}(?:.+/(?:handlers|configure)|main|provider-definition)\\.ts$`;
/** The folders of each slice that connect to services, or work for those that do. */
const clientFolders = {
  ids: ["client/"],
  workspace: ["build/"],
  signing: [
    "cloud-identity/",
    "oci/registry/",
    // How a key is named is checked before synthesis, too.
    "sigstore/(?!key/key-reference\\.ts)",
    "policy/",
    "image/",
    "tree/",
    "sign/(?:attach|sign)[a-z]*-",
  ],
};
const clients = Object.entries(clientFolders)
  .map(([slice, folders]) => `^src/core/${slice}/(?:${folders.join("|")})`)
  .join("|");
/** The embedded services. */
const locals = "^src/local/";
/** The lowest floor: one way to do each thing, for every other part. */
const basics = "^src/core/(?:failure|hcl|json|process|redaction)/";
const runtime = `^src/(?:core/(?:provider-kit|google|http)|cli)/|${clients}|${locals}|${handlers}`;
const library = "^src/core/construct/|^bindings/|node_modules/(?:cdktf|constructs)/";

const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: "^(src|bindings|stacks)/", pathNot: [from, basics, ...allowed] },
});

const never = (name, comment, from, to, pathNot = "^$") => ({
  name,
  comment,
  severity: "error",
  from: { path: from, pathNot },
  to: { path: to },
});

/** As `never`, through whatever other files. */
const neverReached = (name, comment, from, to, pathNot = "^$") => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to, pathNot, reachable: true },
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two files that need each other are one, also if they need only types.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-cycles-of-folders",
      comment: "Two folders that need each other are one.",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    never("core-is-the-ground", "The core knows no other floor.", "^src/core/", "^src/(?!core/)"),
    never("planner-on-core", "A plan needs no command.", "^src/planner/", "^src/(?:cli|local)/"),
    never("local-on-core", "Local services need no plan.", "^src/local/", "^src/(?:cli|planner)/"),
    only("basics-stand-alone", "What every part uses knows none of them.", basics, []),
    {
      name: "schema-stands-alone",
      comment: "What can be declared knows nothing of us.",
      severity: "error",
      from: { path: "^src/core/schema/" },
      to: {
        path: "^(src|bindings|stacks)/",
        pathNot: ["^src/core/schema/", "^src/core/json/plain-json\\.ts$"],
      },
    },
    {
      name: "page-alone",
      comment: "A browser gets the scripts of a page only: types may come from elsewhere.",
      severity: "error",
      from: { path: "^src/(.+)/page/browser/" },
      to: {
        // Two files of a page are replaced by bundles of these libraries.
        pathNot:
          "^src/(?:$1|local/service)/page/browser/|node_modules/(?:markdown-it|simple-icons)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    only("http-on-schema", "How clients speak HTTP knows no service.", "^src/core/http/", [
      "^src/core/schema/",
    ]),
    only("google-on-http", "Google's credentials know none of our services.", "^src/core/google/", [
      "^src/core/(schema|http)/",
    ]),
    only("local-service-alone", "A local server knows no service.", "^src/local/service/", [
      "^src/core/(schema|http)/",
    ]),
    only("packing-stands-alone", "Packing knows no provider.", "^src/cli/provider-package/", []),
    never(
      "bundler-for-packing",
      "esbuild is an optional peer: its types may be imported, and only one file loads it.",
      "^(src|stacks)/",
      "node_modules/esbuild/",
      "^src/cli/provider-package/bundle\\.ts$|^src/cli/pack/provider-archives\\.ts$",
    ),
    only(
      "editors-run-the-command",
      "An extension of an editor starts the command that a project has installed, and contains nothing of it.",
      "^editors/",
      [],
    ),
    only("construct-on-schema", "What constructs share knows no slice.", "^src/core/construct/", [
      "^src/core/schema/",
    ]),
    only("provider-kit-on-schema", "The kit knows no slice.", "^src/core/provider-kit/", [
      "^src/core/schema/",
    ]),
    {
      name: "kit-through-its-faces",
      comment: "The kit is a package of its own: others use what its index files export.",
      severity: "error",
      from: { path: "^(src|stacks)/", pathNot: "^src/core/(schema|provider-kit)/" },
      to: {
        path: "^src/core/(schema|provider-kit)/",
        // Of the calls, a provider's main module loads the routes alone, when Terraform connects.
        pathNot:
          "^src/core/(?:schema/index|provider-kit/(?:(?:host/|testing/|core/)?index|protocol|values|grpc|server/calls/routes))\\.ts$",
      },
    },
    neverReached(
      "kit-without-us",
      "Whoever writes a provider installs neither constructs nor our providers.",
      "^src/core/provider-kit/|^src/cli/provider-main\\.ts$",
      `${slices}|^src/core/(?:construct|google|http)/|${locals}|^bindings/`,
    ),
    only("names-stand-alone", "The grammar of names is pure.", "^src/core/signing/oci/reference/", [
      "^src/core/schema/",
    ]),
    only("product", "How a product speaks is data.", "^src/core/[^/]+/product/", [
      "^src/core/(schema|construct)/",
      // What a product refuses depends on the syntax of patterns.
      "^src/core/workspace/grammar/",
    ]),
    only(
      "local-stands-alone",
      "An embedded service is a server of its own; encodings and the names of variables are the same for both.",
      "^src/local/(?!workspace/preview/|signing/page/)",
      [
        "^src/(?:core/(?:schema|http)|local/service)/",
        "^src/core/workspace/build/environment-variables\\.ts$",
        "^src/local/workspace/",
        // Which scripts wait for which, and which variables are lost, is the same for both. What selects them is not.
        "^src/core/workspace/script-order/script-graph\\.ts$",
        "^src/core/workspace/env/env-clashes\\.ts$",
        // Messages say since when the platform has a rule.
        "^src/core/workspace/product/platform-versions\\.ts$",
        // What fits into the platform's database is one list, for constructs and for HCL.
        "^src/core/workspace/product/coder-limits\\.ts$",
        // The page shows the sentences of the rules, which are in one place.
        "^src/core/workspace/parameter/(?:known-definition|definition-problems|value-problem)\\.ts$",
        "^src/core/signing/(oci/reference|sigstore/der)/",
      ],
    ),
    only(
      "preview-of-its-own",
      "A preview serves Terraform. All that it shares with the provider are the rules of parameters.",
      "^src/local/workspace/preview/",
      [
        "^src/core/(?:schema/|provider-kit/(?:protocol|values)\\.ts$)",
        "^src/local/workspace/|^src/core/workspace/product/platform-versions\\.ts$",
        "^src/core/workspace/parameter/(?:declare|definition-problems|known-definition|value-problem)\\.ts$",
      ],
    ),
    neverReached(
      "declarations-are-data",
      "Declarations serve constructs and providers alike, and know neither.",
      declarations,
      `${runtime}|${library}|/(?:construct|generated|props)\\.ts$`,
    ),
    neverReached(
      "constructs-without-provider",
      "Constructs reach nothing that runs in a provider.",
      constructs,
      runtime,
    ),
    neverReached(
      "providers-without-library",
      "What Terraform starts must not load cdktf.",
      `^src/core/(?:provider-kit|google|http|schema)/|${clients}|${locals}|${handlers}`,
      library,
    ),
    never(
      "clients-know-no-terraform",
      "A client of a service knows no Terraform, but may call other services over gRPC.",
      clients,
      "^src/(?:core/provider-kit/(?!grpc\\.ts$)|core/construct/|cli/)",
    ),
    never(
      "gathered-at-the-root",
      "A room imports other rooms, never what gathers them.",
      "^src/core/[^/]+/[^/]+/",
      `${slices}(?:index|main|provider-definition)\\.ts$`,
    ),
    only("stacks-on-the-package", "Stacks use what users can use.", "^stacks/", [
      "^src/index\\.ts$",
    ]),
    {
      name: "slices-apart",
      comment: "Slices never import each other; stacks join them.",
      severity: "error",
      from: { path: `^src/core/(${anySlice})/` },
      to: { path: slices, pathNot: "^src/core/$1/" },
    },
    never(
      "bindings-for-constructs",
      "Generated bindings are seen by constructs of a slice alone.",
      "^(src|stacks)/",
      "^bindings/",
      `${slices}.+/(?:construct|generated|config)\\.ts$`,
    ),
    never(
      "one-binding-file",
      "A provider's index loads all its bindings: name the file that is needed.",
      "^(src|stacks)/",
      "^bindings/providers/[^/]+/(lazy-)?index\\.ts$",
    ),
    neverReached(
      "constructs-are-light",
      "A user's app loads cdktf, constructs and us, nothing else.",
      `^src/core/(?:construct|schema)/|${constructs}|^stacks/`,
      "node_modules/",
      "node_modules/(cdktf|constructs|zod|re2js|@types/node)/",
    ),
    never(
      "zod-in-schema",
      "Rules are built with what src/core/schema/zod.ts gives them.",
      "^(src|stacks)/",
      "node_modules/zod/",
      "^src/core/schema/",
    ),
    never(
      "one-file-for-each-library",
      "The build replaces these files by bundles: browsers find no packages.",
      "^src/.+/page/browser/",
      "node_modules/",
      "^src/local/workspace/page/browser/(?:markdown-library|brand-icons)\\.ts$",
    ),
    {
      name: "packages-imported-statically",
      comment:
        "A dynamic import of a CommonJS package has no names once it is bundled: re-export it in a file of ours.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "node_modules/", dynamic: true },
    },
    never(
      "re2js-in-one-file",
      "The published build inlines that file: nobody else can count on the package.",
      "^(src|stacks)/",
      "node_modules/re2js/",
      // What only providers load is bundled with them.
      "^src/core/regular-expression/re2\\.ts$|^src/core/signing/policy/parse/read-signer\\.ts$",
    ),
    never(
      "re2js-only-for-policies",
      "Loading the library takes longer than the rest of what signs: only what reads policies may load it.",
      "^src/",
      "^src/core/signing/policy/parse/read-signer\\.ts$",
      "^src/core/signing/policy/",
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules|^dist/|^src/core/signing/verify/policy-check\\.ts$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "require", "default"],
    },
  },
};
