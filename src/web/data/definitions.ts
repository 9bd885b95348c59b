// biome-ignore lint/performance/noBarrelFile: a list, not a way to import: a line for each table that devices keep, with how it is searched and ordered.
export { companyDefinition as companies } from './companies.ts'
export { contactDefinition as contacts } from './contacts.ts'
export { dealContactDefinition as deal_contacts } from './deal-contacts.ts'
export { customFieldDefinition as custom_fields } from './custom-fields.ts'
export { stageDefinition as deal_stages } from './deal-stages.ts'
export { dealDefinition as deals } from './deals.ts'
export { noteDefinition as notes } from './note-definition.ts'
export { tagDefinition as tags } from './tags.ts'
export { pipelineDefinition as pipelines } from './pipelines.ts'
export { taskDefinition as tasks } from './tasks.ts'

/** Members are neither searched nor listed by a query. */
export const memberships = { orders: {} }
