terraform {
  required_providers {
    {{name}} = { source = "{{source}}" }
  }
}

provider "{{name}}" {
  folder = path.root
}

resource "{{name}}_note" "milk" {
  name = "milk"
  text = "We need milk."
}
