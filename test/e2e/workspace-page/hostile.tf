# A template whose author tries to get markup, scripts and addresses into the page, wherever it shows text.

locals {
  evil    = "<img src=x onerror='broken=1'><script>broken=1</script>"
  linked  = "[click](javascript:broken=1) ![seen](https://other.example/pixel.png) <b>bold</b>"
  foreign = "https://other.example/pixel.svg"
}

data "workspace_workspace" "me" {}

data "workspace_parameter" "trap" {
  name         = "trap"
  display_name = local.evil
  description  = "${local.evil} ${local.linked} [web](https://example.com)"
  icon         = local.foreign
  default      = "a"
  option {
    name        = "<b>bold</b>"
    value       = "a"
    icon        = "/emojis/1f680.png"
    description = local.linked
  }
}

data "workspace_parameter" "free" {
  name    = "free"
  default = local.evil
  mutable = true
}

data "workspace_workspace_preset" "evil" {
  name        = local.evil
  description = local.linked
  icon        = local.foreign
  parameters  = { free = local.evil }
}

data "workspace_workspace_tags" "evil" {
  tags = { evil = local.evil }
}

resource "workspace_agent" "main" {
  os             = "linux"
  arch           = "amd64"
  dir            = "/home/${local.evil}"
  startup_script = local.evil
  env            = { EVIL = local.evil }
  metadata {
    key          = "evil"
    display_name = local.evil
    script       = local.evil
    interval     = 10
  }
}

resource "workspace_app" "evil" {
  for_each = {
    javascript = "javascript:broken=1"
    mixed      = "jAvAsCrIpT:broken=1"
    data       = "data:text/html,<script>broken=1</script>"
    file       = "file:///etc/passwd"
    web        = "https://other.example/app"
  }
  agent_id     = workspace_agent.main.id
  slug         = each.key
  display_name = local.evil
  group        = local.evil
  tooltip      = local.linked
  icon         = local.foreign
  url          = each.value
  external     = true
}

resource "workspace_app" "icon" {
  for_each = {
    script  = "javascript:broken=1"
    html    = "data:text/html,<script>broken=1</script>"
    svg     = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='broken=1'/>"
    outside = "/icon/../api/overview"
    host    = "//other.example/icon/docker.svg"
    proto   = "/icon/__proto__.svg"
  }
  agent_id = workspace_agent.main.id
  slug     = each.key
  icon     = each.value
  command  = local.evil
}

resource "workspace_script" "evil" {
  agent_id     = workspace_agent.main.id
  display_name = local.evil
  icon         = local.foreign
  script       = local.evil
  run_on_start = true
}

resource "workspace_env" "evil" {
  agent_id = workspace_agent.main.id
  name     = "EVIL_TOO"
  value    = local.evil
}

resource "terraform_data" "machine" {
  count = data.workspace_workspace.me.start_count
  input = sha256(workspace_agent.main.token)

  lifecycle {
    precondition {
      condition     = data.workspace_parameter.free.value != "fail"
      error_message = local.evil
    }
  }
}

resource "workspace_metadata" "machine" {
  count       = data.workspace_workspace.me.start_count
  resource_id = terraform_data.machine[0].id
  icon        = local.foreign
  item {
    key   = local.evil
    value = local.linked
  }
}

check "log" {
  assert {
    condition     = workspace_agent.main.os == "windows"
    error_message = local.evil
  }
}
