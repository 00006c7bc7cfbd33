import { problemRule } from "../../schema";

let known: ReadonlySet<string> | undefined;

/**
 * Checks whether a string names a time zone: an IANA name with the correct case, `UTC`, the empty string, or
 * `Local`.
 *
 * The runtime accepts every zone but ignores case, and lists each zone under one name only. Our table has the
 * other names.
 */
export function isTimeZone(text: string): boolean {
  known ??= new Set(["", "UTC", "Local", ...Intl.supportedValuesOf("timeZone"), ...zoneAliases]);
  return known.has(text);
}

const must = "must be an IANA time zone with the correct case, such as Europe/Paris, or UTC";

export const timeZoneRule = problemRule(must, (text) => (isTimeZone(text) ? undefined : must));

const split = (names: string): readonly string[] => names.trim().split(/\s+/);

/** By area; names without an area are under the empty string. From the tz database, release 2026f. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  "": split(`
    CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST
    Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo
    PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT Universal W-SU WET Zulu`),
  Africa: split(`
    Asmara Asmera Timbuktu`),
  America: split(`
    Argentina/Buenos_Aires Argentina/Catamarca Argentina/ComodRivadavia Argentina/Cordoba
    Argentina/Jujuy Argentina/Mendoza Atikokan Atka Buenos_Aires Catamarca Coral_Harbour Cordoba
    Ensenada Fort_Wayne Godthab Indiana/Indianapolis Indianapolis Jujuy Kentucky/Louisville
    Knox_IN Louisville Mendoza Montreal Nipigon Nuuk Pangnirtung Porto_Acre Rainy_River Rosario
    Santa_Isabel Shiprock Thunder_Bay Virgin Yellowknife`),
  Antarctica: split(`
    South_Pole`),
  Asia: split(`
    Ashkhabad Calcutta Choibalsan Chongqing Chungking Dacca Harbin Ho_Chi_Minh Istanbul Kashgar
    Kathmandu Katmandu Kolkata Macao Rangoon Saigon Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator
    Yangon`),
  Atlantic: split(`
    Faeroe Faroe Jan_Mayen`),
  Australia: split(`
    ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna`),
  Brazil: split(`
    Acre DeNoronha East West`),
  Canada: split(`
    Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon`),
  Chile: split(`
    Continental EasterIsland`),
  Etc: split(`
    GMT GMT+0 GMT+1 GMT+10 GMT+11 GMT+12 GMT+2 GMT+3 GMT+4 GMT+5 GMT+6 GMT+7 GMT+8 GMT+9 GMT-0
    GMT-1 GMT-10 GMT-11 GMT-12 GMT-13 GMT-14 GMT-2 GMT-3 GMT-4 GMT-5 GMT-6 GMT-7 GMT-8 GMT-9 GMT0
    Greenwich UCT UTC Universal Zulu`),
  Europe: split(`
    Belfast Kiev Kyiv Nicosia Tiraspol Uzhgorod Zaporozhye`),
  Mexico: split(`
    BajaNorte BajaSur General`),
  Pacific: split(`
    Chuuk Enderbury Johnston Kanton Pohnpei Ponape Samoa Truk Yap`),
  US: split(`
    Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain
    Pacific Samoa`),
};

/**
 * Names of time zones that some runtimes do not list, because they list the zone under another name or
 * not at all. Duplicates of listed names are harmless.
 */
export const zoneAliases: readonly string[] = Object.entries(aliases).flatMap(([area, names]) =>
  names.map((name) => (area === "" ? name : `${area}/${name}`)),
);
