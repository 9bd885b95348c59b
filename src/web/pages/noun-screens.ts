// biome-ignore lint/performance/noBarrelFile: a list, not a way to import: a line for each noun whose pages are in its feature's folder, by its table.
export { taskScreens as tasks } from '#web/features/tasks/task-screens.tsx'
