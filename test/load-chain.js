"use strict";

// Loads a compiled file of this package, and prints what that loaded: each file with the chain of
// imports that led to it. With an expression, that is evaluated afterwards with the loaded module as `it`, and awaited.
const Module = require("node:module");
const { relative, resolve } = require("node:path");

const root = resolve(module.path, "..");
const [entry = "", expression] = process.argv.slice(2);
const chains = {};
const open = [];

const load = Module._load;
Module._load = function (request, parent, isMain) {
  let file;
  try {
    file = Module._resolveFilename(request, parent, isMain);
  } catch {
    return load.call(this, request, parent, isMain);
  }
  if (Module.isBuiltin(file)) return load.call(this, request, parent, isMain);
  const name = relative(root, file);
  open.push(name);
  chains[name] ??= [...open];
  try {
    return load.call(this, request, parent, isMain);
  } finally {
    open.pop();
  }
};

const it = require(resolve(root, entry));
const made =
  expression === undefined ? undefined : new Function("it", "require", expression)(it, require);
Promise.resolve(made).then(() => process.stdout.write(JSON.stringify(chains)));
