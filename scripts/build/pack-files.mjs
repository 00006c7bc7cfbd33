// @ts-check

/**
 * A file of a split bundle, translated to CommonJS.
 *
 * @typedef {object} SplitFile
 * @property {string} name its own name, by which the others require it
 * @property {string} code
 * @property {boolean} isShared whether it holds what several files need, and is not itself loaded on demand
 * @property {readonly string[]} statics names of the files that it needs at once
 * @property {readonly string[]} dynamics names of the files that it loads on demand
 */

/** Larger files stay alone: to read past them would cost more than to read one more file. */
const maxSharedBytes = 40_960;

/**
 * Packs the files of a split bundle into fewer, because to find, read and compile a file takes about half a
 * millisecond, and a provider would start with twenty:
 *
 * - the entry, with what it needs at once;
 * - `calls`: what the entry loads on demand, which every process does, only later;
 * - `shared`: what several of the other files need. Each part runs when it is first required.
 *
 * Every other file that is loaded on demand stays a file of its own.
 *
 * @param {{ files: ReadonlyMap<string, SplitFile>, entry: string, banner: string }} bundle
 * @returns {Map<string, string>} file name to content
 */
export function packFiles({ files, entry, banner }) {
  const start = closure(files, [entry]);
  const calls = closure(files, fileOf(files, entry).dynamics, start);
  const rest = [...files.keys()].filter((name) => !start.has(name) && !calls.has(name)).sort();
  const isShared = (/** @type {string} */ name) => {
    const { isShared, code } = fileOf(files, name);
    return isShared && code.length <= maxSharedBytes;
  };
  const shared = rest.filter(isShared);
  /** @type {Map<string, string>} */
  const packed = new Map();
  /** @type {Record<string, string>} */
  const places = {};
  const put = (
    /** @type {string} */ pack,
    /** @type {Iterable<string>} */ names,
    eager = false,
  ) => {
    const parts = [...names].map((name) => {
      places[name] = pack;
      return part(fileOf(files, name), eager);
    });
    if (parts.length > 0) packed.set(pack, `"use strict";module.exports={${parts.join(",\n")}};`);
  };
  put("calls.cjs", calls, true);
  put("shared.cjs", shared);
  for (const name of rest) if (!isShared(name)) put(name, [name]);
  const own = [...start].map((name) => part(fileOf(files, name), true));
  packed.set(entry, `"use strict";${banner}${loader(own, places, entry)}`);
  return packed;
}

/**
 * In parentheses, a function is compiled with the file instead of being skipped and read again.
 *
 * @param {SplitFile} file
 * @param {boolean} eager
 */
function part({ name, code }, eager) {
  const run = `function(require,module,exports){${code}}`;
  return `${JSON.stringify(name)}:${eager ? `(${run})` : run}`;
}

/**
 * The code that replaces `require` inside of the files. As in Node.js, a file that failed is run again.
 *
 * @param {readonly string[]} own
 * @param {Record<string, string>} places
 * @param {string} entry
 */
function loader(own, places, entry) {
  return `
const parts={${own.join(",\n")}},places=${JSON.stringify(places)},loaded={};
function load(id){
const name=id.startsWith("./")?id.slice(2):"";
if(name in loaded)return loaded[name].exports;
if(!(name in parts)){
if(!(name in places))return require(id);
Object.assign(parts,require("./"+places[name]));
}
const module=loaded[name]={exports:{}};
let done=false;
try{parts[name](load,module,module.exports);done=true}finally{if(!done)delete loaded[name]}
return module.exports;
}
load("./${entry}");
`;
}

/**
 * The files that are loaded with `names`, in the order in which they run.
 *
 * @param {ReadonlyMap<string, SplitFile>} files
 * @param {readonly string[]} names
 * @param {ReadonlySet<string>} [without]
 */
function closure(files, names, without = new Set()) {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {string} */ name) => {
    if (found.has(name) || without.has(name)) return;
    found.add(name);
    for (const next of fileOf(files, name).statics) visit(next);
  };
  for (const name of names) visit(name);
  return found;
}

/**
 * @param {ReadonlyMap<string, SplitFile>} files
 * @param {string} name
 */
function fileOf(files, name) {
  const file = files.get(name);
  if (file === undefined) throw new Error(`the bundle has no file ${name}`);
  return file;
}
