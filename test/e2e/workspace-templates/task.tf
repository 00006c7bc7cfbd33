# A workspace that runs an AI task, with an external machine of the user next to it.

terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

data "workspace_workspace" "me" {}
data "workspace_workspace_owner" "me" {}
data "workspace_task" "me" {}

data "workspace_parameter" "model" {
  name         = "model"
  display_name = "Model"
  form_type    = "radio"
  default      = "fast"
  mutable      = true
  styling      = jsonencode({ placeholder = "Which one" })

  option {
    name  = "Fast"
    value = "fast"
  }
  option {
    name  = "Thorough"
    value = "thorough"
  }
}

data "workspace_parameter" "instructions" {
  name      = "instructions"
  form_type = "textarea"
  default   = "Write tests.\nKeep to the style."
  mutable   = true
}

data "workspace_parameter" "tools" {
  name      = "tools"
  type      = "list(string)"
  form_type = "multi-select"
  default   = jsonencode(["shell"])
  mutable   = true

  option {
    name  = "Shell"
    value = "shell"
  }
  option {
    name  = "Browser"
    value = "browser"
  }
}

resource "workspace_agent" "dev" {
  os   = "linux"
  arch = "arm64"
  env = {
    TASK_PROMPT = data.workspace_task.me.prompt
    TASK_ID     = data.workspace_task.me.id
  }
}

resource "workspace_agent" "laptop" {
  os   = "darwin"
  arch = "arm64"
}

resource "workspace_external_agent" "laptop" {
  agent_id = workspace_agent.laptop.id
}

resource "workspace_app" "chat" {
  agent_id = workspace_agent.dev.id
  slug     = "chat"
  url      = "http://localhost:3284"

  healthcheck {
    url       = "http://localhost:3284/status"
    interval  = 3
    threshold = 20
  }
}

resource "workspace_ai_task" "chat" {
  count  = data.workspace_workspace.me.start_count
  app_id = workspace_app.chat.id
}

resource "workspace_script" "assistant" {
  agent_id     = workspace_agent.dev.id
  display_name = "Assistant"
  run_on_start = true
  script       = "assistant --model ${data.workspace_parameter.model.value} --tools '${join(",", jsondecode(data.workspace_parameter.tools.value))}'"
}

resource "workspace_devcontainer" "api" {
  count            = data.workspace_workspace.me.start_count
  agent_id         = workspace_agent.dev.id
  workspace_folder = "/home/dev/api"
}

resource "workspace_devcontainer" "web" {
  agent_id         = workspace_agent.dev.id
  workspace_folder = "/home/dev/web"
  config_path      = "/home/dev/web/.devcontainer/small/devcontainer.json"
}

resource "terraform_data" "pod" {
  count = data.workspace_workspace.me.start_count
  input = {
    token        = workspace_agent.dev.token
    instructions = data.workspace_parameter.instructions.value
    session      = sha256(data.workspace_workspace_owner.me.session_token)
  }
}

output "task" {
  value = data.workspace_task.me.enabled ? "runs" : "none"
}
