import { missingLibrary } from "./library";

// Imported before everything else that needs the library, so that its absence is reported in our words.
try {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot be tried
  require("cdktf");
} catch (error) {
  throw missingLibrary(error) ?? error;
}
