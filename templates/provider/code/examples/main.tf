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

data "{{name}}_notes" "all" {
  depends_on = [{{name}}_note.milk]
}

output "notes" {
  value = data.{{name}}_notes.all.names
}
