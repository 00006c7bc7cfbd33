import type * as nodeFs from "node:fs";
import type * as nodePath from "node:path";
import type * as nodeVm from "node:vm";

/** Runs a file of the package, and returns what it exports. */
type CodeLoader = (file: string) => unknown;

/**
 * Creates the function with which a bundle runs its files. It keeps V8's bytecode of them in the user's cache
 * folder, so that the next process does not compile them again.
 *
 * Its text is part of each package, so it uses nothing from this module.
 *
 * Code from the cache is run, so it is trusted only in a folder that nobody else can read or write, in a file
 * of the same user, and with the same source next to it. Each folder from the home folder to the cache must
 * belong to the user, and must not be a link: if HOME is that of another user, as after `su` or `sudo`, the
 * cache is off. It is also off in CI, where it may have been restored from elsewhere, unless
 * TRIVET_CODE_CACHE is 1, and always with 0. Problems with the cache are never errors.
 *
 * @param require the `require` of the main file
 * @param folder the folder of the package
 * @param ids a name for each file that is different for different content
 */
export function codeLoader(
  require: NodeJS.Require,
  folder: string,
  ids: Readonly<Record<string, string>>,
): CodeLoader {
  interface Kept {
    /** The number of processes that have checked whether there is more code to keep. */
    readonly looks: number;
    readonly data: Buffer;
  }
  /** A file that this process has loaded. */
  interface Loaded {
    readonly script: nodeVm.Script;
    readonly source: Buffer;
    /** Its path in the cache, and the content that was found there. */
    readonly place: string;
    readonly found: Kept | undefined;
  }

  /** The number of processes after which the cache contains what usually runs. */
  const maxLooks = 16;
  const maxBytes = 64 * 2 ** 20;
  /** The time without a change after which a file belongs to an old version, or can be written again. */
  const maxAgeMs = 30 * 24 * 3_600_000;
  /** The length of the header: the looks, and the length of the source. */
  const headerBytes = 5;
  /** The names of files in the cache, and of those that a process has not finished writing. */
  const ownName = /^[\da-f]{16}-v\d+\.\d+\.\d+[\w.+-]*-[a-z\d]+(\.\d+)?$/;

  const { TRIVET_CODE_CACHE: wish, CI: ci = "", XDG_CACHE_HOME = "", HOME = "" } = process.env;
  const user = process.getuid?.();
  const isWanted = wish === "1" || (wish !== "0" && (ci === "" || ci === "false"));
  const path = require("node:path") as typeof nodePath;
  const caches = XDG_CACHE_HOME === "" ? path.join(HOME, ".cache") : XDG_CACHE_HOME;
  if (user === undefined || !isWanted || !path.isAbsolute(caches)) {
    return (file): unknown => require(`./${file}`);
  }

  const fs = require("node:fs") as typeof nodeFs;
  const { Script } = require("node:vm") as typeof nodeVm;
  const above = path.resolve(caches);
  const cache = path.join(above, "trivet", "code");

  /** From the home to the cache. Outside of the home, XDG_CACHE_HOME is where the user's own folders begin. */
  const way = [above, path.dirname(cache), cache];
  const home = path.resolve(HOME);
  for (let folder = above; folder.startsWith(`${home}/`);) {
    folder = path.dirname(folder);
    way.unshift(folder);
  }

  /** Checks that the user owns all folders on the way, and that nobody else can read the last one. */
  const isPrivate = (isMade: boolean): boolean => {
    try {
      return way.every((folder, at) => {
        if (isMade && at > 0) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const { uid, mode } = fs.lstatSync(folder);
        return uid === user && (mode & (folder === cache ? 0o170077 : 0o170000)) === 0o040000;
      });
    } catch {
      return false;
    }
  };

  const read = (place: string, source: Buffer): Kept | undefined => {
    let descriptor: number | undefined;
    try {
      descriptor = fs.openSync(place, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
      const { uid, mode, size } = fs.fstatSync(descriptor);
      if (uid !== user || (mode & 0o170022) !== 0o100000 || size > maxBytes) return undefined;
      const content = fs.readFileSync(descriptor);
      const end = headerBytes + content.readUInt32LE(1);
      if (!content.subarray(headerBytes, end).equals(source)) return undefined;
      return { looks: content.readUInt8(0), data: content.subarray(end) };
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
  };

  const write = (place: string, looks: number, source: Buffer, data: Buffer): void => {
    const header = Buffer.alloc(headerBytes);
    header.writeUInt8(looks, 0);
    header.writeUInt32LE(source.byteLength, 1);
    const fresh = `${place}.${process.pid}`;
    const descriptor = fs.openSync(fresh, "wx", 0o600);
    try {
      fs.writevSync(descriptor, [header, source, data]);
      // V8 does not notice data that a crash of the machine has damaged.
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(fresh, place);
  };

  const countLook = (place: string, looks: number): void => {
    const descriptor = fs.openSync(place, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW);
    fs.writeSync(descriptor, Buffer.of(looks), 0, 1, 0);
    fs.closeSync(descriptor);
  };

  const removeOld = (): void => {
    const oldest = Date.now() - maxAgeMs;
    for (const name of fs.readdirSync(cache)) {
      if (!ownName.test(name)) continue;
      const place = path.join(cache, name);
      const found = fs.lstatSync(place);
      if (found.isFile() && found.mtimeMs < oldest) fs.unlinkSync(place);
    }
  };

  const loaded: Loaded[] = [];
  const save = (): void => {
    try {
      if (!isPrivate(true)) return;
      for (const { script, source, place, found } of loaded) {
        const looks = (found?.looks ?? 0) + 1;
        if (looks > maxLooks) continue;
        // Functions are compiled when they are first called: this process may have called more.
        const data = script.createCachedData();
        const hasMore = data.length > (found?.data.length ?? 0) * 1.02;
        if (hasMore) write(place, looks, source, data);
        else countLook(place, looks);
      }
      if (loaded.some(({ found }) => found === undefined)) removeOld();
    } catch {
      // The next process compiles again.
    }
  };
  process.on("exit", save);

  const isTrusted = isPrivate(false);
  return (file) => {
    const filename = path.join(folder, file);
    const source = fs.readFileSync(filename);
    const place = path.join(cache, `${ids[file] ?? file}-${process.version}-${process.arch}`);
    const found = isTrusted ? read(place, source) : undefined;
    const before = "(function(exports,require,module,__filename,__dirname){";
    const script = new Script(`${before}${source.toString()}\n})`, {
      filename,
      // So that positions in stack traces are those in the file.
      columnOffset: -before.length,
      cachedData: found?.data,
    });
    const isUsed = script.cachedDataRejected === false;
    loaded.push({ script, source, place, found: isUsed ? found : undefined });
    const module = { exports: {} };
    const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
    run.call(module.exports, module.exports, require, module, filename, folder);
    return module.exports;
  };
}
