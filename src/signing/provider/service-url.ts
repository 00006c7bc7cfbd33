import { textRule } from "../../schema";

/** The address of a service: https, or http on this machine. */
export const serviceUrlRule = textRule([
  [
    /^(https:\/\/[^/\s?#@]+|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/i,
    "must be an https URL, or an http URL of this machine such as http://127.0.0.1:3000, without user, query and fragment",
  ],
]);
