// biome-ignore lint/performance/noBarrelFile: a list, not a barrel: one line for each noun whose pages are in its feature's folder, named after its table.
export { taskScreens as tasks } from '#web/features/tasks/task-screens.tsx'
