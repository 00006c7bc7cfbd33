import { UNKNOWN } from "../../schema/type";
import { describe, type Encodable } from "./codec-node";
import { type CtyNumber, Decimal, decimalOf, int64Of, numberText } from "./number";
import { type CtyError, type CtyField, type CtyType, typeToJson } from "./type";
import { type CtyRecord, DynamicValue, isCtyRecord, isList, readProperty, Trail } from "./value";

/**
 * Encodes a value in Terraform's JSON format, with sorted attributes and map keys.
 *
 * @throws CtyError when the value does not match the type or contains unknown values
 */
export function encodeJson(type: CtyType, value: Encodable): string {
  return new JsonEncoder().value(type, value);
}

class JsonEncoder extends Trail {
  value(type: CtyType, value: Encodable): string {
    if (value === null || value === undefined) return "null";
    if (value === UNKNOWN) throw this.fail("unknown values cannot be encoded as JSON");
    switch (type) {
      case "string":
        if (typeof value !== "string") throw this.#expected("a string", value);
        return JSON.stringify(value.normalize("NFC"));
      case "number":
        return this.#number(value);
      case "decimal":
        return this.#converted(decimalOf, value);
      case "int64":
        return this.#converted(int64Of, value);
      case "bool":
        if (typeof value !== "boolean") throw this.#expected("a boolean", value);
        return String(value);
      case "dynamic":
        if (!(value instanceof DynamicValue)) {
          throw this.#expected("a dynamic value with its type", value);
        }
        return `{"value":${this.#at("value", value.type, value.value)},"type":${typeToJson(value.type)}}`;
      default:
        if ("list" in type) return this.#array(this.#elements(type.list, value, "a list"));
        if ("set" in type) {
          const elements = new Set(this.#elements(type.set, value, "a set"));
          return this.#array([...elements].sort());
        }
        if ("map" in type) return this.#map(type.map, value);
        if ("tuple" in type) return this.#tuple(type.tuple, value);
        return this.#object(type.object, value);
    }
  }

  #number(value: Encodable): string {
    if (typeof value !== "number" && typeof value !== "bigint" && !(value instanceof Decimal)) {
      throw this.#expected("a number", value);
    }
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw this.fail(`the number ${value} cannot be encoded as JSON`);
    }
    return numberText(value);
  }

  #converted(convert: (value: unknown) => CtyNumber, value: Encodable): string {
    try {
      return numberText(convert(value));
    } catch (error) {
      throw this.locate(error);
    }
  }

  #elements(type: CtyType, value: Encodable, expected: string): readonly string[] {
    if (!isList(value)) throw this.#expected(expected, value);
    return value.map((element, index) => this.#at(index, type, element));
  }

  #tuple(types: readonly CtyType[], value: Encodable): string {
    const expected = `a tuple of ${types.length} elements`;
    if (!isList(value)) throw this.#expected(expected, value);
    if (value.length !== types.length) throw this.fail(`expected ${expected}, got ${value.length}`);
    return this.#array(types.map((type, index) => this.#at(index, type, value[index])));
  }

  #map(type: CtyType, value: Encodable): string {
    if (!isCtyRecord(value)) throw this.#expected("a map", value);
    const keys = Object.keys(value).sort();
    return this.#members(
      keys.map((key) => [key.normalize("NFC"), this.#at(key, type, value[key])]),
    );
  }

  #object(fields: readonly CtyField[], value: Encodable): string {
    if (!isCtyRecord(value)) throw this.#expected("an object", value);
    this.#refuseAdditional(fields, value);
    const sorted = fields.toSorted((a, b) => (a.wire < b.wire ? -1 : 1));
    return this.#members(
      sorted.map(({ wire, name, type }) => [wire, this.#at(name, type, readProperty(value, name))]),
    );
  }

  #refuseAdditional(fields: readonly CtyField[], value: CtyRecord): void {
    for (const name of Object.keys(value)) {
      if (!fields.some((field) => field.name === name) && value[name] !== undefined) {
        throw this.fail(`unsupported attribute ${JSON.stringify(name)}`);
      }
    }
  }

  #array(elements: readonly string[]): string {
    return `[${elements.join(",")}]`;
  }

  #members(entries: readonly (readonly [string, string])[]): string {
    return `{${entries.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
  }

  #at(step: string | number, type: CtyType, value: Encodable): string {
    this.enter(step);
    const json = this.value(type, value);
    this.leave();
    return json;
  }

  #expected(expected: string, value: Encodable): CtyError {
    return this.fail(`expected ${expected}, got ${describe(value)}`);
  }
}
