import { uniqueValues } from "../template/unique-values";

/** A preset's name is one of its own: users choose by it. */
export const uniquePresetNames = uniqueValues({ attribute: "name", where: "in the template" });
