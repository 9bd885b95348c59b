import * as session from '#web/data/session/session.ts'
import * as account from '#web/data/session/account.ts'
import * as presentEmail from '#web/data/session/present-email.ts'
import * as signIn from '#web/data/session/sign-in.ts'
import * as activeBrand from '#web/data/people/active-brand.ts'
import * as brands from '#web/data/people/brands.ts'
import * as createBrand from '#web/data/people/create-brand.ts'
import * as brandData from '#web/data/store/brand-data.ts'
import * as queue from '#web/data/store/queue.ts'
import * as pullSchedule from '#web/data/sync/pull-schedule.ts'
import * as sender from '#web/data/changes/sender.ts'
import * as notificationSettings from '#web/data/notification-settings.ts'
import * as network from '#web/data/server/network.ts'
import * as recordAnswer from '#web/data/server/record-answer.ts'
import * as deals from '#web/data/deals.ts'
import * as addContacts from '#web/data/add-contact.ts'
import * as contacts from '#web/data/contacts.ts'
import * as addCompany from '#web/data/add-company.ts'
import * as companies from '#web/data/companies.ts'
import * as contactWithCompany from '#web/data/contact-with-company.ts'
import * as knownCompany from '#web/data/known-company.ts'
import * as customFields from '#web/data/custom-fields.ts'
import * as changeFields from '#web/data/change-fields.ts'
import * as tasks from '#web/data/tasks.ts'
import * as importContacts from '#web/data/import-contacts.ts'
import * as imports from '#web/data/imports.ts'
import * as changeMatching from '#web/data/change-matching.ts'
import * as syncStatus from '#web/data/sync/sync-status.ts'
import * as boardView from '#web/data/board-view.ts'
import * as dashboard from '#web/data/dashboard.ts'
import * as recordMatchingChange from '#web/data/record-matching-change.ts'
import * as mutate from '#web/data/changes/mutate.ts'
import * as deleteRecords from '#web/data/changes/delete-records.ts'
import * as updateRecord from '#web/data/changes/update-record.ts'
import * as steps from '#web/data/changes/steps.ts'
import * as undoStep from '#web/data/changes/undo-step.ts'
import * as useRecord from '#web/data/query/use-record.ts'
import * as relatedRecords from '#web/data/related-records.ts'
import * as linkCounts from '#web/data/query/link-counts.ts'
import * as people from '#web/data/people/people.ts'
import * as listOptions from '#web/data/query/list-options.ts'
import * as conflictWords from '#web/data/changes/conflict-words.ts'
import * as queueActions from '#web/data/changes/queue-actions.ts'
import * as resolveConflict from '#web/data/changes/resolve-conflict.ts'
import * as queueLines from '#web/data/changes/queue-lines.ts'
import * as beginCorrection from '#web/data/changes/begin-correction.ts'
import * as localRows from '#web/data/query/local-rows.ts'
import * as figuresOf from '#web/data/query/figures-of.ts'
import * as changeStages from '#web/data/change-stages.ts'
import * as dealContacts from '#web/data/deal-contacts.ts'
import * as dealsWithTasks from '#web/data/deals-with-tasks.ts'
import * as exportRecords from '#web/data/export-records.ts'
import * as readQueries from '#web/data/server/read-queries.ts'

/** The functions of the data layer that tests call. Their first parameter is the device of a tab, or data that is open on it. */
export const dataLayer = {
  ...session,
  ...signIn,
  ...account,
  ...presentEmail,
  ...activeBrand,
  ...brands,
  ...createBrand,
  ...brandData,
  ...queue,
  ...pullSchedule,
  ...sender,
  ...network,
  ...recordAnswer,
  ...notificationSettings,
  ...deals,
  ...contacts,
  ...addContacts,
  ...addCompany,
  ...companies,
  ...contactWithCompany,
  ...knownCompany,
  ...customFields,
  ...changeFields,
  ...tasks,
  ...importContacts,
  ...imports,
  ...changeMatching,
  ...recordMatchingChange,
  ...syncStatus,
  ...boardView,
  ...dashboard,
  ...mutate,
  ...deleteRecords,
  ...updateRecord,
  ...steps,
  ...undoStep,
  ...useRecord,
  ...relatedRecords,
  ...linkCounts,
  ...people,
  ...listOptions,
  ...conflictWords,
  ...queueActions,
  ...resolveConflict,
  ...queueLines,
  ...beginCorrection,
  ...localRows,
  ...figuresOf,
  ...exportRecords,
  ...readQueries,
  ...changeStages,
  ...dealContacts,
  ...dealsWithTasks,
}
