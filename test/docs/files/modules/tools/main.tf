variable "agent_id" {
  type = string
}

variable "slug" {
  type    = string
  default = "tools"
}

variable "order" {
  type    = number
  default = null
}

resource "coder_app" "tools" {
  agent_id = var.agent_id
  slug     = var.slug
  order    = var.order
  url      = "http://localhost:8080"
}

output "url" {
  value = coder_app.tools.url
}
