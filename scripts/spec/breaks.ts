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

const webFolder = 'src/web'
const migrationsFolder = 'supabase/migrations'

/**
 * Forty breaks, applied one at a time by `npm run spec:breaks`: the test that docs/spec-coverage.md names for the sentence
 * must fail.
 */
export const breaks: readonly Break[] = [
  breakOf(
    '2',
    '/: Redirects (replace) to /auth.',
    `${webFolder}/routes.tsx`,
    "{ path: '/', guard: () => redirectTo('/auth') }",
    "{ path: '/', guard: () => ({ address: '/nowhere' }) }",
  ),
  breakOf(
    '2',
    "/auth: Tabs 'Sign In' and 'Sign Up'; title",
    `${webFolder}/pages/auth.tsx`,
    'Manage your deals, contacts, and pipeline',
    'Manage your deals, contacts and pipeline',
  ),
  breakOf(
    '2',
    "/auth: Sign-in card 'Welcome back'",
    `${webFolder}/features/auth/auth-form.tsx`,
    "title: 'Welcome back'",
    "title: 'Welcome Back'",
  ),
  breakOf(
    '2',
    "/auth: Sign-up card 'Create account'",
    `${webFolder}/features/auth/auth-form.tsx`,
    "title: 'Create account'",
    "title: 'Create an account'",
  ),
  breakOf(
    '2',
    "/select-brand: With memberships: 'Select a Brand'",
    `${webFolder}/features/brands/brand-cards.tsx`,
    '            Open Dashboard',
    '            Open dashboard',
  ),
  breakOf(
    '2',
    "any other path: 404 page with 'Oops! Page not found'",
    `${webFolder}/pages/not-found.tsx`,
    'Return to Home',
    'Back to Home',
  ),
  breakOf(
    '2',
    'any other path: the attempted path is logged.',
    `${webFolder}/pages/not-found.tsx`,
    "console.error('404: no such page', pathname)",
    "console.error('404: no such page')",
  ),
  breakOf(
    '2',
    "/crm/overview: 'Dashboard Overview' with six stat cards:",
    `${webFolder}/features/overview/stat-cards.tsx`,
    "label: 'Pipeline Value'",
    "label: 'Pipeline value'",
  ),
  breakOf(
    '2',
    "/crm/deals: Title 'Deals Pipeline', hint",
    `${webFolder}/features/deals/deals-header.tsx`,
    'Drag deals between stages to update their status',
    'Drag deals between stages',
  ),
  breakOf(
    '2',
    '/crm/deals: One horizontal column per stage',
    `${webFolder}/features/deals/stage-column.tsx`,
    'flex w-80 shrink-0 snap-start',
    'flex w-72 shrink-0 snap-start',
  ),
  breakOf(
    '2',
    '/crm/deals: Stage badge colours depend',
    `${webFolder}/crm/stage-tone.ts`,
    "['yes', 'verbal']",
    "['yes', 'won']",
  ),
  breakOf(
    '2',
    "/crm/contacts: Search box 'Search contacts...'",
    `${webFolder}/pages/contacts.tsx`,
    'searchLabel="Search contacts..."',
    'searchLabel="Search contacts"',
  ),
  breakOf(
    '2',
    "/crm/contacts: Empty states: 'No contacts yet'",
    `${webFolder}/features/contacts/contacts-states.tsx`,
    'Add Your First Contact',
    'Add your first contact',
  ),
  breakOf(
    '2',
    '/crm/import-contacts: A template download named',
    `${webFolder}/features/contacts/import/write-csv.ts`,
    "'contacts_template.csv'",
    "'contacts-template.csv'",
  ),
  breakOf(
    '2',
    '/crm/import-contacts: An upload accepting .csv only.',
    `${webFolder}/features/contacts/import/choose-file-button.tsx`,
    'accept=".csv"',
    'accept=".csv,.txt"',
  ),
  breakOf(
    '2',
    "/crm/companies: With no details: 'No additional details'.",
    `${webFolder}/features/companies/company-card.tsx`,
    'No additional details',
    'No details',
  ),
  breakOf(
    '2',
    "/crm/companies: 'No companies found matching your search'.",
    `${webFolder}/features/companies/companies-states.tsx`,
    'No companies found matching your search',
    'No companies found',
  ),
  breakOf(
    '2',
    "/crm/tasks: An overdue date is red and marked '(Overdue)'.",
    `${webFolder}/features/tasks/due-group.ts`,
    ')} (Overdue)`',
    ')} (overdue)`',
  ),
  breakOf(
    '2',
    "/crm/tasks: Empty texts: 'No open tasks'",
    `${webFolder}/features/tasks/task-panels.tsx`,
    'No completed tasks yet',
    'No completed tasks',
  ),
  breakOf(
    '2',
    '/crm/settings: Deal Stages and Tags cards',
    `${webFolder}/features/stages/deal-stages-card.tsx`,
    '<Card aria-label="Deal Stages"',
    '<Card aria-label="Stages"',
  ),
  breakOf(
    '3',
    'task: priority (low, normal, high, urgent; default normal)',
    `${migrationsFolder}/20261122000009_tasks.sql`,
    "priority text not null default 'normal'",
    "priority text not null default 'low'",
  ),
  breakOf(
    '3',
    'brand: slug (name lowercased',
    `${migrationsFolder}/20261122000003_brands.sql`,
    "'[^[:alnum:]]+', '-', 'g'",
    "'[^[:alnum:]]+', '_', 'g'",
  ),
  breakOf(
    '4',
    'Deal stage: Dragging starts after 8px',
    `${webFolder}/features/deals/board-drag.tsx`,
    'distance: 8',
    'distance: 2',
  ),
  breakOf(
    '4',
    'Task status: open to done and back',
    `${webFolder}/features/tasks/toggle-task.ts`,
    "'Task reopened'",
    "'Task opened'",
  ),
  breakOf(
    '4',
    'Only open tasks are counted on the dashboard.',
    `${webFolder}/data/dashboard.ts`,
    "openTasks: figuresWhere('tasks', openOnly),",
    "openTasks: figuresWhere('tasks'),",
  ),
  breakOf(
    '4',
    'The last active brand id is stored locally',
    `${webFolder}/data/people/active-brand.ts`,
    'await keyValueStore(device).remember(lastBrandKey(session.userId), brandId)',
    'void brandId',
  ),
  breakOf(
    '5',
    'Sign-up password: minimum length 6.',
    `${webFolder}/features/auth/check-credentials.ts`,
    'minPasswordLength = 6',
    'minPasswordLength = 5',
  ),
  breakOf(
    '5',
    "Create brand: name required ('Brand name required').",
    `${webFolder}/features/brands/create-brand-form.tsx`,
    "'Brand name required'",
    "'Brand name is required'",
  ),
  breakOf(
    '5',
    'Contact: email required and trimmed',
    `${webFolder}/features/contacts/contact-schema.ts`,
    "error: 'Email is required'",
    "error: 'E-mail is required'",
  ),
  breakOf(
    '5',
    'Deal: name required after trimming',
    `${webFolder}/features/deals/new-deal-schema.ts`,
    'z.string().check(z.trim(), z.minLength(1, ',
    'z.string().check(z.minLength(1, ',
  ),
  breakOf(
    '5',
    'Deal: Amount is a non-negative number',
    `${webFolder}/features/deals/new-deal-schema.ts`,
    '?? { amount: 0, currency: deal.currency }',
    "?? { error: 'Not a number' }",
  ),
  breakOf(
    '5',
    'CSV import: header row used; empty lines skipped',
    `${webFolder}/features/contacts/import/contact-row.ts`,
    "if (email === '' && phone === '') return { reason: 'Email or phone number is required' }",
    "if (email === '-') return { reason: 'Email is required' }",
  ),
  breakOf(
    '6',
    'Only admins and owners may add members',
    `${migrationsFolder}/20261122000004_members.sql`,
    "case when p_role = 'owner' then 'owner' else 'admin' end",
    "case when p_role = 'owner' then 'owner' else 'member' end",
  ),
  breakOf(
    '7',
    'RPC quick_create_deal (p_brand_id, p_name',
    `${webFolder}/data/deals.ts`,
    '`New Deal - ${stage.name}`',
    '`New Deal (${stage.name})`',
  ),
  breakOf(
    '8',
    'Brand duplicate (code 23505',
    `${webFolder}/features/brands/brand-refusal.ts`,
    'Please choose a different name.',
    'Choose a different name.',
  ),
  breakOf(
    '8',
    "Deal move: failure 'Error moving deal'",
    `${webFolder}/features/deals/move-with-toast.ts`,
    "'Deal moved successfully'",
    "'Deal moved'",
  ),
  breakOf(
    '8',
    "Task: 'Failed to update task'",
    `${webFolder}/features/tasks/toggle-task.ts`,
    "'Failed to update task'",
    "'Error updating task'",
  ),
  breakOf(
    '8',
    "CSV: parse failure 'Error'",
    `${webFolder}/features/contacts/import/use-import.ts`,
    "'Failed to parse CSV file'",
    "'Cannot parse CSV file'",
  ),
  breakOf(
    '9',
    'Completed tasks list shows at most 10.',
    `${webFolder}/data/tasks.ts`,
    'completedLimit = 10',
    'completedLimit = 11',
  ),
  breakOf(
    '9',
    'CSV template has 2 sample rows.',
    `${webFolder}/features/contacts/import/write-csv.ts`,
    "  ['kenji@hoshino.example', 'Kenji', 'Watanabe', 'Hoshino Trading, KK'],\n",
    '',
  ),
]

function breakOf(section: string, sentence: string, file: string, from: string, to: string): Break {
  return { section, sentence, file, from, to }
}
