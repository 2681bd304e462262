# ECS does not create the log group of ../ecs/task-definition.json: without it, the task does not start.
resource "aws_cloudwatch_log_group" "application" {
  count = var.ecs_log_group_name == null ? 0 : 1

  name              = var.ecs_log_group_name
  retention_in_days = 30
}
