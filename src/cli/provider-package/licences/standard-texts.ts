import { licenseText as bsd0 } from "spdx-license-list/licenses/0BSD.json";
import { licenseText as apache2 } from "spdx-license-list/licenses/Apache-2.0.json";
import { licenseText as blueOak } from "spdx-license-list/licenses/BlueOak-1.0.0.json";
import { licenseText as bsd2 } from "spdx-license-list/licenses/BSD-2-Clause.json";
import { licenseText as bsd3 } from "spdx-license-list/licenses/BSD-3-Clause.json";
import { licenseText as boost } from "spdx-license-list/licenses/BSL-1.0.json";
import { licenseText as cc0 } from "spdx-license-list/licenses/CC0-1.0.json";
import { licenseText as isc } from "spdx-license-list/licenses/ISC.json";
import { licenseText as mit } from "spdx-license-list/licenses/MIT.json";
import { licenseText as mit0 } from "spdx-license-list/licenses/MIT-0.json";
import { licenseText as python } from "spdx-license-list/licenses/Python-2.0.json";
import { licenseText as unicode } from "spdx-license-list/licenses/Unicode-3.0.json";
import { licenseText as unlicense } from "spdx-license-list/licenses/Unlicense.json";
import { licenseText as zlib } from "spdx-license-list/licenses/Zlib.json";

/**
 * The texts of permissive licences, by their SPDX identifier. The build inlines them, so that the package does not
 * need the list.
 */
export const standardTexts: ReadonlyMap<string, string> = new Map([
  ["0BSD", bsd0],
  ["Apache-2.0", apache2],
  ["BlueOak-1.0.0", blueOak],
  ["BSD-2-Clause", bsd2],
  ["BSD-3-Clause", bsd3],
  ["BSL-1.0", boost],
  ["CC0-1.0", cc0],
  ["ISC", isc],
  ["MIT", mit],
  ["MIT-0", mit0],
  ["Python-2.0", python],
  ["Unicode-3.0", unicode],
  ["Unlicense", unlicense],
  ["Zlib", zlib],
]);
