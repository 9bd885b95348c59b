// biome-ignore lint/performance/noBarrelFile: a list, not a barrel: one line for each noun whose pages are in the folder of its feature. The exported
// name is that of the noun's table.
export { taskScreens as tasks } from '#web/features/tasks/task-screens.tsx'
