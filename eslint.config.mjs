import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "bindings/providers/", "cdktf.out/", "coverage/"] },
  js.configs.recommended,
  { rules: { "no-nested-ternary": "error" } },
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // `Record<never, never>` is how a declaration without blocks is typed.
      "@typescript-eslint/no-generated-empty-object-type": "off",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Members are private to the language (#name), and module constants are named like variables.
      "no-restricted-syntax": [
        "error",
        {
          selector:
            ":matches(ObjectExpression > SpreadElement > ObjectExpression, ArrayExpression > SpreadElement > ArrayExpression).argument",
          message: "Write the members of a literal where it is spread.",
        },
        {
          selector:
            ":matches(PropertyDefinition, TSParameterProperty, MethodDefinition[kind!='constructor'])[accessibility='private']",
          message: "Use a private name: #name.",
        },
        {
          selector:
            ":matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[id.name=/^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/]:not([id.name='PLAN_DESCRIPTOR'])",
          message: "Name constants like variables: camelCase.",
        },
      ],
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "zod", message: 'Use `import * as z from "zod/mini"`: see docs/design.' },
          ],
        },
      ],
    },
  },
  {
    files: ["src/cli/**/*.ts", "stacks/**/*.ts", "bench/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    files: ["src/**/*.ts", "editors/**/*.ts"],
    // The scripts of pages run in a browser, which gets their folders only.
    ignores: ["src/json/**", "src/**/page/browser/**"],
    rules: {
      "no-restricted-properties": [
        "error",
        {
          object: "JSON",
          property: "parse",
          message:
            "Use src/json: parseJson for foreign documents, otherwise parsedJson or parseTrustedJson.",
        },
      ],
    },
  },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: {
      globals: {
        module: "writable",
        require: "readonly",
        process: "readonly",
        console: "readonly",
        Buffer: "readonly",
        URL: "readonly",
        fetch: "readonly",
        setTimeout: "readonly",
      },
    },
  },
);
