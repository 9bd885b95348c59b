// biome-ignore lint/performance/noBarrelFile: a list of nouns, not a barrel: a line exports the screens of one noun under the name of its table.
export { taskScreens as tasks } from '#web/features/tasks/task-screens.tsx'
