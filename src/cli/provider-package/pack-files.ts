import { codeLoader } from "./code-loader";
import { sha256 } from "./package-content";

/** A file of a split bundle, translated to CommonJS. */
export interface SplitFile {
  /** Its own name, by which the others require it. */
  readonly name: string;
  readonly code: string;
  /** True if several files need it, and it is not itself loaded on demand. */
  readonly isShared: boolean;
  /** Names of the files that it needs immediately. */
  readonly statics: readonly string[];
  /** Names of the files that it loads on demand. */
  readonly dynamics: readonly string[];
}

type SplitFiles = ReadonlyMap<string, SplitFile>;

/** The result of a split build. */
interface SplitBundle {
  readonly files: SplitFiles;
  /** The main file. */
  readonly entry: string;
  /** The first statement that runs. */
  readonly banner: string;
}

/** Larger files stay separate: reading past them would cost more than reading one more file. */
const maxSharedBytes = 40_960;

/**
 * Packs the files of a split bundle into fewer files. Finding, reading and compiling a file takes about half a millisecond, and
 * a provider would start with twenty files.
 *
 * - the entry, which loads the others ({@link codeLoader});
 * - `start`: what the entry needs immediately;
 * - `calls`: what the entry loads on demand, which every process does later;
 * - `shared`: what several of the other files need. Each part runs when it is first required.
 *
 * Every other file that is loaded on demand stays a separate file.
 *
 * @returns file name to content
 */
export function packFiles({ files, entry, banner }: SplitBundle): Map<string, string> {
  const start = closure(files, [entry]);
  const calls = closure(files, fileOf(files, entry).dynamics, start);
  const rest = [...files.keys()].filter((name) => !start.has(name) && !calls.has(name)).sort();
  const isShared = (name: string) => {
    const { isShared, code } = fileOf(files, name);
    return isShared && code.length <= maxSharedBytes;
  };
  const shared = rest.filter(isShared);
  const packed = new Map<string, string>();
  const places: Record<string, string> = {};
  const put = (pack: string, names: Iterable<string>, eager = false) => {
    const parts = [...names].map((name) => {
      places[name] = pack;
      return part(fileOf(files, name), eager);
    });
    if (parts.length > 0) packed.set(pack, `"use strict";module.exports={${parts.join(",\n")}};`);
  };
  put("start.cjs", start, true);
  put("calls.cjs", calls, true);
  put("shared.cjs", shared);
  for (const name of rest) if (!isShared(name)) put(name, [name]);
  const ids = Object.fromEntries(
    [...packed].map(([file, code]) => [file, sha256(code).slice(0, 16)]),
  );
  packed.set(entry, `"use strict";${banner}${loader(places, ids, entry)}`);
  return packed;
}

/**
 * Wraps the function of a file in parentheses, so that it is compiled with the file instead of being skipped
 * and read again.
 */
function part({ name, code }: SplitFile, eager: boolean): string {
  const run = `function(require,module,exports){${code}}`;
  return `${JSON.stringify(name)}:${eager ? `(${run})` : run}`;
}

/**
 * Returns the code that replaces `require` inside the files. As in Node.js, a file that failed runs again.
 */
function loader(
  places: Readonly<Record<string, string>>,
  ids: Readonly<Record<string, string>>,
  entry: string,
): string {
  return `
const parts={},places=${JSON.stringify(places)},loaded={};
const code=(${codeLoader.toString()})(require,__dirname,${JSON.stringify(ids)});
function load(id){
const name=id.startsWith("./")?id.slice(2):"";
if(name in loaded)return loaded[name].exports;
if(!(name in parts)){
if(!(name in places))return require(id);
Object.assign(parts,code(places[name]));
}
const module=loaded[name]={exports:{}};
let done=false;
try{parts[name](load,module,module.exports);done=true}finally{if(!done)delete loaded[name]}
return module.exports;
}
load("./${entry}");
`;
}

/** Returns the files that are loaded with `names`, in the order in which they run. */
function closure(
  files: SplitFiles,
  names: readonly string[],
  without: ReadonlySet<string> = new Set(),
): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name) || without.has(name)) return;
    found.add(name);
    for (const next of fileOf(files, name).statics) visit(next);
  };
  for (const name of names) visit(name);
  return found;
}

function fileOf(files: SplitFiles, name: string): SplitFile {
  const file = files.get(name);
  if (file === undefined) throw new Error(`the bundle has no file ${name}`);
  return file;
}
