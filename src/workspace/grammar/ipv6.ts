const embedded = /(?<=:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const group = /^[\da-f]{1,4}$/i;

/** Whether a text is an IPv6 address, one that ends in an IPv4 address included; without a zone. */
export function isIpv6(text: string): boolean {
  const octets = embedded.exec(text)?.slice(1) ?? [];
  if (octets.some((octet) => Number(octet) > 255 || /^0\d/.test(octet))) return false;
  const halves = text.replace(embedded, "0:0").split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!groups.every((each) => group.test(each))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}
