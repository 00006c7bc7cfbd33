import {
  DefaultTokenResolver,
  StringConcat,
  stringToTerraform,
  TerraformDataSource,
  Tokenization,
  type TerraformMetaArguments,
} from "cdktf";
import type { Construct } from "constructs";
import { DataSourceConstruct, type DataSourceMetaArguments } from "../../../src/core/construct";
import { computed, dataSource, optional, required, t } from "../../../src/core/schema";

interface FactConfig extends TerraformMetaArguments {
  readonly topic: string;
  readonly tone?: string;
}

/** A data source's binding as cdktf generates it. */
export class FactBinding extends TerraformDataSource {
  topic: string;
  readonly #tone: string | undefined;

  constructor(scope: Construct, id: string, config: FactConfig) {
    super(scope, id, {
      terraformResourceType: "ids_fact",
      terraformGeneratorMetadata: {
        providerName: "ids",
        providerVersion: "0.1.0",
        providerVersionConstraint: "0.1.0",
      },
      ...config,
    });
    this.topic = config.topic;
    this.#tone = config.tone;
  }

  get answer(): string {
    return this.getStringAttribute("answer");
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { topic: stringToTerraform(this.topic), tone: stringToTerraform(this.#tone) };
  }
}

/** The properties of a {@link Fact}. */
export interface FactProps extends DataSourceMetaArguments {
  readonly topic: string;
  readonly tone?: string | undefined;
}

const fact = dataSource("ids_fact", {
  doc: "A fact.",
  attributes: {
    topic: required(t.oneOf(["weather", "traffic"]), { doc: "What it is about." }),
    tone: optional(t.string(), { doc: "How it is told." }),
    answer: computed(t.string(), { doc: "The fact." }),
  },
});

/** A data source for the tests. */
export class Fact extends DataSourceConstruct<FactBinding, FactProps> {
  constructor(scope: Construct, id: string, props: FactProps) {
    super(scope, id, fact, props, (...given) => new FactBinding(...given));
  }

  get answer(): string {
    return this.resource.answer;
  }
}

/** Resolves tokens in a scope. */
export function optionalComputed(scope: Construct, value: unknown): unknown {
  const resolver = new DefaultTokenResolver(new StringConcat());
  return Tokenization.resolve(value, { scope, resolver });
}
