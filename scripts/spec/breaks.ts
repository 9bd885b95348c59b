/**
 * A change of the code (a word, a rule, a limit) that contradicts a sentence of the specification. `sentence`: the beginning of the sentence.
 * `from` must occur exactly once in `file`.
 */
export interface Break {
  section: string
  sentence: string
  file: string
  from: string
  to: string
}

const web = 'src/web'
const sql = 'supabase/migrations'

/**
 * Forty breaks, applied one at a time by `npm run spec:breaks`: the test that docs/spec-coverage.md names for the sentence
 * must fail.
 */
export const breaks: readonly Break[] = [
  at(
    '2',
    '/: Redirects (replace) to /auth.',
    `${web}/routes.tsx`,
    "{ path: '/', guard: () => redirectTo('/auth') }",
    "{ path: '/', guard: () => ({ address: '/nowhere' }) }",
  ),
  at(
    '2',
    "/auth: Tabs 'Sign In' and 'Sign Up'; title",
    `${web}/pages/auth.tsx`,
    'Manage your deals, contacts, and pipeline',
    'Manage your deals, contacts and pipeline',
  ),
  at(
    '2',
    "/auth: Sign-in card 'Welcome back'",
    `${web}/features/auth/auth-form.tsx`,
    "title: 'Welcome back'",
    "title: 'Welcome Back'",
  ),
  at(
    '2',
    "/auth: Sign-up card 'Create account'",
    `${web}/features/auth/auth-form.tsx`,
    "title: 'Create account'",
    "title: 'Create an account'",
  ),
  at(
    '2',
    "/select-brand: With memberships: 'Select a Brand'",
    `${web}/features/brands/brand-cards.tsx`,
    '            Open Dashboard',
    '            Open dashboard',
  ),
  at(
    '2',
    "any other path: 404 page with 'Oops! Page not found'",
    `${web}/pages/not-found.tsx`,
    'Return to Home',
    'Back to Home',
  ),
  at(
    '2',
    'any other path: the attempted path is logged.',
    `${web}/pages/not-found.tsx`,
    "console.error('404: no such page', pathname)",
    "console.error('404: no such page')",
  ),
  at(
    '2',
    "/crm/overview: 'Dashboard Overview' with six stat cards:",
    `${web}/features/overview/stat-cards.tsx`,
    "label: 'Pipeline Value'",
    "label: 'Pipeline value'",
  ),
  at(
    '2',
    "/crm/deals: Title 'Deals Pipeline', hint",
    `${web}/features/deals/deals-header.tsx`,
    'Drag deals between stages to update their status',
    'Drag deals between stages',
  ),
  at(
    '2',
    '/crm/deals: One horizontal column per stage',
    `${web}/features/deals/stage-column.tsx`,
    'flex w-80 shrink-0 snap-start',
    'flex w-72 shrink-0 snap-start',
  ),
  at('2', '/crm/deals: Stage badge colours depend', `${web}/crm/stage-tone.ts`, "['yes', 'verbal']", "['yes', 'won']"),
  at(
    '2',
    "/crm/contacts: Search box 'Search contacts...'",
    `${web}/pages/contacts.tsx`,
    'searchLabel="Search contacts..."',
    'searchLabel="Search contacts"',
  ),
  at(
    '2',
    "/crm/contacts: Empty states: 'No contacts yet'",
    `${web}/features/contacts/contacts-states.tsx`,
    'Add Your First Contact',
    'Add your first contact',
  ),
  at(
    '2',
    '/crm/import-contacts: A template download named',
    `${web}/features/contacts/import/write-csv.ts`,
    "'contacts_template.csv'",
    "'contacts-template.csv'",
  ),
  at(
    '2',
    '/crm/import-contacts: An upload accepting .csv only.',
    `${web}/features/contacts/import/choose-file-button.tsx`,
    'accept=".csv"',
    'accept=".csv,.txt"',
  ),
  at(
    '2',
    "/crm/companies: With no details: 'No additional details'.",
    `${web}/features/companies/company-card.tsx`,
    'No additional details',
    'No details',
  ),
  at(
    '2',
    "/crm/companies: 'No companies found matching your search'.",
    `${web}/features/companies/companies-states.tsx`,
    'No companies found matching your search',
    'No companies found',
  ),
  at(
    '2',
    "/crm/tasks: An overdue date is red and marked '(Overdue)'.",
    `${web}/features/tasks/due-group.ts`,
    ')} (Overdue)`',
    ')} (overdue)`',
  ),
  at(
    '2',
    "/crm/tasks: Empty texts: 'No open tasks'",
    `${web}/features/tasks/task-panels.tsx`,
    'No completed tasks yet',
    'No completed tasks',
  ),
  at(
    '2',
    '/crm/settings: Deal Stages and Tags cards',
    `${web}/features/stages/deal-stages-card.tsx`,
    '<Card aria-label="Deal Stages"',
    '<Card aria-label="Stages"',
  ),
  at(
    '3',
    'task: priority (low, normal, high, urgent; default normal)',
    `${sql}/20261122000009_tasks.sql`,
    "priority text not null default 'normal'",
    "priority text not null default 'low'",
  ),
  at(
    '3',
    'brand: slug (name lowercased',
    `${sql}/20261122000003_brands.sql`,
    "'[^[:alnum:]]+', '-', 'g'",
    "'[^[:alnum:]]+', '_', 'g'",
  ),
  at(
    '4',
    'Deal stage: Dragging starts after 8px',
    `${web}/features/deals/board-drag.tsx`,
    'distance: 8',
    'distance: 2',
  ),
  at(
    '4',
    'Task status: open to done and back',
    `${web}/features/tasks/toggle-task.ts`,
    "'Task reopened'",
    "'Task opened'",
  ),
  at(
    '4',
    'Only open tasks are counted on the dashboard.',
    `${web}/data/dashboard.ts`,
    "openTasks: count('tasks', open),",
    "openTasks: count('tasks'),",
  ),
  at(
    '4',
    'The last active brand id is stored locally',
    `${web}/data/people/active-brand.ts`,
    'await keyValueStore(device).remember(lastBrandKey(session.userId), brandId)',
    'void brandId',
  ),
  at(
    '5',
    'Sign-up password: minimum length 6.',
    `${web}/features/auth/check-credentials.ts`,
    'minPasswordLength = 6',
    'minPasswordLength = 5',
  ),
  at(
    '5',
    "Create brand: name required ('Brand name required').",
    `${web}/features/brands/create-brand-form.tsx`,
    "'Brand name required'",
    "'Brand name is required'",
  ),
  at(
    '5',
    'Contact: email required and trimmed',
    `${web}/features/contacts/contact-schema.ts`,
    "error: 'Email is required'",
    "error: 'E-mail is required'",
  ),
  at(
    '5',
    'Deal: name required after trimming',
    `${web}/features/deals/new-deal-schema.ts`,
    'z.string().check(z.trim(), z.minLength(1, ',
    'z.string().check(z.minLength(1, ',
  ),
  at(
    '5',
    'Deal: Amount is a non-negative number',
    `${web}/features/deals/new-deal-schema.ts`,
    '?? { amount: 0, currency: deal.currency }',
    "?? { error: 'Not a number' }",
  ),
  at(
    '5',
    'CSV import: header row used; empty lines skipped',
    `${web}/features/contacts/import/contact-row.ts`,
    "if (email === '' && phone === '') return { reason: 'Email or phone number is required' }",
    "if (email === '-') return { reason: 'Email is required' }",
  ),
  at(
    '6',
    'Only admins and owners may add members',
    `${sql}/20261122000004_members.sql`,
    "case when p_role = 'owner' then 'owner' else 'admin' end",
    "case when p_role = 'owner' then 'owner' else 'member' end",
  ),
  at(
    '7',
    'RPC quick_create_deal (p_brand_id, p_name',
    `${web}/data/deals.ts`,
    '`New Deal - ${stage.name}`',
    '`New Deal (${stage.name})`',
  ),
  at(
    '8',
    'Brand duplicate (code 23505',
    `${web}/features/brands/brand-refusal.ts`,
    'Please choose a different name.',
    'Choose a different name.',
  ),
  at(
    '8',
    "Deal move: failure 'Error moving deal'",
    `${web}/features/deals/move-outcome.ts`,
    "'Deal moved successfully'",
    "'Deal moved'",
  ),
  at(
    '8',
    "Task: 'Failed to update task'",
    `${web}/features/tasks/toggle-task.ts`,
    "'Failed to update task'",
    "'Error updating task'",
  ),
  at(
    '8',
    "CSV: parse failure 'Error'",
    `${web}/features/contacts/import/use-import.ts`,
    "'Failed to parse CSV file'",
    "'Cannot parse CSV file'",
  ),
  at(
    '9',
    'Completed tasks list shows at most 10.',
    `${web}/data/tasks.ts`,
    'completedLimit = 10',
    'completedLimit = 11',
  ),
  at(
    '9',
    'CSV template has 2 sample rows.',
    `${web}/features/contacts/import/write-csv.ts`,
    "  ['kenji@hoshino.example', 'Kenji', 'Watanabe', 'Hoshino Trading, KK'],\n",
    '',
  ),
]

function at(section: string, sentence: string, file: string, from: string, to: string): Break {
  return { section, sentence, file, from, to }
}
