import { basename } from "node:path";

/** Checks whether a program, given by name or path, is OpenTofu. */
export const isOpenTofu = (program = ""): boolean => basename(program, ".exe") === "tofu";
