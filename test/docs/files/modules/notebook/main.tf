variable "agent_id" {
  type = string
}

variable "slug" {
  type    = string
  default = "notebook"
}

variable "port" {
  type    = number
  default = 8888
}

resource "workspace_app" "notebook" {
  agent_id = var.agent_id
  slug     = var.slug
  url      = "http://localhost:${var.port}"
}

output "url" {
  value = workspace_app.notebook.url
}
