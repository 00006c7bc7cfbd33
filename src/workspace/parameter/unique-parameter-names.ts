import { uniqueValues } from "../template/unique-values";

/** A parameter's name is one of its own: the platform hands values over by it. */
export const uniqueParameterNames = uniqueValues({ attribute: "name", where: "in the template" });
