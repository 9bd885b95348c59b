/**
 * The invented records of the demo brand. Every e-mail and web address ends in .example. The telephone numbers are invented, too. The
 * numbers of large British cities are in ranges reserved for fiction.
 */
export const brand = 'Harbour & Co'
export const owner = { email: 'priya@harbourandco.example', name: 'Priya Nair', password: 'harbour-demo' }
export const colleagues = [
  { email: 'ana@harbourandco.example', name: 'Ana Pryce', role: 'admin' },
  { email: 'callum@harbourandco.example', name: 'Callum Reid', role: 'member' },
  { email: 'bronwen@harbourandco.example', name: 'Bronwen Lloyd', role: 'member' },
] as const

/** Name, colour and tagged records: companies and deals by name, contacts by e-mail address. The contacts of a tagged company get its tag, too. */
export const tags: [name: string, color: string, tagged: readonly string[]][] = [
  ['Key account', 'blue', ['Kestrel Logistics', 'Tidewater Group', 'Orchard & Vale']],
  ['Public sector', 'indigo', ['Linden Health NHS Trust']],
  ['Partner', 'teal', ['Juniper Studios', 'hollis.marchbank@freelance.example', 'Catalogue photography']],
  ['Bristol trade fair', 'orange', ['bea@orchardvale.example', 'tom@halcyonlabs.example', 'rufus@fathom.example']],
  [
    'Multi-year',
    'green',
    ['Annual support contract', 'Osaka distribution agreement', 'Acme renewal', 'Maintenance retainer'],
  ],
  ['Needs legal', 'red', ['Security review', 'Osaka distribution agreement']],
]

/** Name, website, phone, notes. `fillDemoBrand` derives the company's domain from the website. */
export const companies: [name: string, website: string | null, phone: string | null, notes: string | null][] = [
  [
    'Acme Fixings',
    'www.acmefixings.example',
    '+44 121 496 0177',
    'Renewed for three years. Prefers calls before ten; invoices go to Hannah, not to the central mailbox.',
  ],
  [
    'Ashgrove Capital Partners LLP',
    'ashgrovecapital.example',
    '+44 20 7946 0611',
    'Legacy hosting lost on price. Idris is open to a migration talk in spring.',
  ],
  ['Brightwater Energy', 'brightwater.example', '+44 191 498 0214', null],
  [
    'Cambrian Coaches',
    'www.cambriancoaches.example',
    '+44 1970 496 018',
    'Four depots: Aberystwyth, Machynlleth, Newtown, Dolgellau. Telematics budget decided by the board in March.',
  ],
  ['Copperline', 'copperline.example', null, null],
  ['Fathom Analytics', null, null, null],
  ['Halcyon Labs', 'halcyonlabs.example', '+44 1223 496 0882', 'Two sites in Cambridge, one in Leiden.'],
  [
    'Hoshino Trading KK',
    'www.hoshino.example',
    '+81 6 5550 0199',
    'Quotes in yen, without decimals. Kenji reads English well; send contracts in both languages.',
  ],
  ['Juniper Studios', 'juniper-studios.example', null, 'Photography and catalogues.'],
  ['Kestrel Logistics', 'www.kestrel.example', '+44 161 496 0133', 'Annual support contract runs out on 31 December.'],
  [
    'Linden Health NHS Trust',
    'www.lindenhealth.example',
    '+44 20 7946 0182',
    'Framework supplier since 2024. Procurement answers on Tuesdays and Thursdays.',
  ],
  ['Maashaven Terminals BV', 'maashaven.example', '+31 10 555 0147', null],
  [
    'Maison Aubert',
    'maisonaubert.example',
    '+33 4 55 50 01 38',
    'Showroom in Lyon; decisions come from Clémence alone.',
  ],
  ['Marlowe Foods', 'marlowefoods.example', '+44 113 496 0390', null],
  ['Nordhafen GmbH', 'nordhafen.example', '+49 421 5550 112', 'Trial in Bremen until the end of the month.'],
  ['Orchard & Vale', 'orchardvale.example', '+44 117 496 0725', 'Three people decide; Amara writes the order.'],
  ['Tidewater Group', 'tidewater.example', '+44 29 2018 0455', null],
]

/** first name, last name, company, e-mail, title, phone. */
export const contacts: [string, string, string | null, string, string | null, string | null][] = [
  ['Amara', 'Okafor', 'Orchard & Vale', 'amara.okafor@orchardvale.example', 'Chief of Staff', '+44 117 496 0725'],
  ['Anke', 'Petersen', 'Nordhafen GmbH', 'a.petersen@nordhafen.example', 'Einkauf', null],
  ['Beatrix', 'Nwosu', 'Orchard & Vale', 'bea@orchardvale.example', 'Founder', '+44 117 496 0724'],
  ['Clara', 'Dubois', 'Ashgrove Capital Partners LLP', 'clara.dubois@ashgrovecapital.example', 'Associate', null],
  ['Clémence', 'Aubert', 'Maison Aubert', 'clemence@maisonaubert.example', 'Gérante', '+33 4 55 50 01 38'],
  ['Daniel', 'Cohen', 'Tidewater Group', 'd.cohen@tidewater.example', 'Head of Data', null],
  ['Freya', 'Hansen', 'Tidewater Group', 'freya.hansen@tidewater.example', 'Training Manager', null],
  ['Gethin', 'Pugh', 'Cambrian Coaches', 'gethin@cambriancoaches.example', 'Fleet Manager', '+44 1970 496 018'],
  ['Hannah', 'Llewellyn', 'Acme Fixings', 'hannah@acmefixings.example', 'Finance', '+44 121 496 0177'],
  [
    'Idris',
    'Bello',
    'Ashgrove Capital Partners LLP',
    'idris.bello@ashgrovecapital.example',
    'Partner',
    '+44 20 7946 0611',
  ],
  ['Jonas', 'Lindqvist', 'Kestrel Logistics', 'jonas@kestrel.example', 'Depot Lead', '+44 161 496 0134'],
  [
    'Kenji',
    'Watanabe',
    'Hoshino Trading KK',
    'k.watanabe@hoshino.example',
    'Deputy General Manager, Distribution Systems',
    '+81 6 5550 0199',
  ],
  ['Lucía', 'Romero', 'Kestrel Logistics', 'lucia.romero@kestrel.example', 'Operations Director', '+44 161 496 0133'],
  [
    'Margaret',
    'Featherstonehaugh',
    'Linden Health NHS Trust',
    'm.featherstonehaugh@lindenhealth.example',
    'Head of Procurement',
    '+44 20 7946 0182',
  ],
  ['Mei', 'Tanaka', 'Copperline', 'mei.tanaka@copperline.example', 'Product Lead', null],
  ['Owen', 'Davies', 'Copperline', 'owen.davies@copperline.example', 'Finance', null],
  [
    'Pieter',
    'van der Heijden',
    'Maashaven Terminals BV',
    'p.vanderheijden@maashaven.example',
    'Terminal Manager',
    '+31 10 555 0147',
  ],
  ['Priya', 'Raman', 'Brightwater Energy', 'priya.raman@brightwater.example', 'Facilities', '+44 191 498 0214'],
  ['Rufus', 'Ainsley', 'Fathom Analytics', 'rufus@fathom.example', null, '+44 113 496 0390'],
  ['Siân', 'Prosser', 'Tidewater Group', 'sian.prosser@tidewater.example', 'Buying Lead', '+44 29 2018 0455'],
  ['Sofia', 'Rossi', 'Marlowe Foods', 'sofia.rossi@marlowefoods.example', 'Quality Manager', null],
  ['Tom', 'Adeyemi', 'Halcyon Labs', 'tom@halcyonlabs.example', 'Lab Manager', '+44 1223 496 0882'],
  ['', '', 'Juniper Studios', 'info@juniper-studios.example', null, null],
  ['Hollis', 'Marchbank', null, 'hollis.marchbank@freelance.example', null, null],
]

/** name, amount, currency, company, contact's e-mail, days until the expected close. */
type DealRow = [string, number, 'GBP' | 'EUR' | 'JPY', string | null, string | null, number | null]

/** The deals by the name of the stage in which they are after all `moves`. */
export const deals: Record<string, DealRow[]> = {
  Incoming: [
    ['Annual support contract', 27200, 'GBP', 'Kestrel Logistics', 'lucia.romero@kestrel.example', 16],
    [
      'Harbour office refit, phase two and fittings',
      6550,
      'GBP',
      'Brightwater Energy',
      'priya.raman@brightwater.example',
      34,
    ],
    ['Renewal 2027', 2050, 'GBP', 'Orchard & Vale', 'amara.okafor@orchardvale.example', 17],
    ['New Deal - Incoming', 0, 'GBP', null, null, null],
    ['Warehouse scanners', 9850, 'GBP', 'Ashgrove Capital Partners LLP', 'idris.bello@ashgrovecapital.example', 31],
    ['Lyon showroom pilot', 12400, 'EUR', 'Maison Aubert', 'clemence@maisonaubert.example', 54],
    ['Training days, northern depots', 4200, 'GBP', 'Tidewater Group', 'freya.hansen@tidewater.example', 28],
    ['Packaging redesign', 18900, 'GBP', 'Marlowe Foods', 'sofia.rossi@marlowefoods.example', 40],
    ['Depot telematics', 31000, 'GBP', 'Cambrian Coaches', 'gethin@cambriancoaches.example', 61],
  ],
  Qualified: [
    ['Pilot programme', 7000, 'GBP', 'Kestrel Logistics', 'jonas@kestrel.example', 7],
    ['Onboarding package', 20700, 'GBP', 'Ashgrove Capital Partners LLP', 'clara.dubois@ashgrovecapital.example', 29],
    ['Cold-store monitoring', 22550, 'GBP', 'Marlowe Foods', 'sofia.rossi@marlowefoods.example', 17],
    ['Data migration', 28350, 'GBP', 'Tidewater Group', 'd.cohen@tidewater.example', 16],
    ['Osaka distribution agreement', 1850000, 'JPY', 'Hoshino Trading KK', 'k.watanabe@hoshino.example', 69],
    ['Site survey', 6500, 'GBP', 'Brightwater Energy', 'tom@halcyonlabs.example', 11],
    ['Catalogue photography', 10650, 'GBP', 'Juniper Studios', null, 16],
    ['Maintenance retainer', 15300, 'GBP', 'Acme Fixings', 'hannah@acmefixings.example', 45],
  ],
  Proposal: [
    ['Analytics add-on', 11800, 'GBP', 'Copperline', 'mei.tanaka@copperline.example', 5],
    [
      'Ward equipment framework',
      44950,
      'GBP',
      'Linden Health NHS Trust',
      'm.featherstonehaugh@lindenhealth.example',
      11,
    ],
    ['Booking system', 23500, 'GBP', 'Copperline', 'owen.davies@copperline.example', 17],
    ['Annual licence, 240 seats', 7500, 'GBP', 'Juniper Studios', 'sofia.rossi@marlowefoods.example', 13],
    ['Rotterdam quay sensors', 38000, 'EUR', 'Maashaven Terminals BV', 'p.vanderheijden@maashaven.example', 20],
    ['Security review', 32050, 'GBP', 'Kestrel Logistics', 'lucia.romero@kestrel.example', 11],
    ['Expansion seats', 31250, 'GBP', 'Orchard & Vale', 'amara.okafor@orchardvale.example', 23],
  ],
  'Verbal Yes': [
    ['Data platform', 20550, 'GBP', 'Fathom Analytics', 'rufus@fathom.example', 7],
    ['Regional rollout, South West and Wales', 62700, 'GBP', 'Tidewater Group', 'sian.prosser@tidewater.example', 9],
    ['Support retainer', 26900, 'GBP', 'Halcyon Labs', 'tom@halcyonlabs.example', 6],
    ['Refill stations', 44750, 'GBP', 'Halcyon Labs', 'bea@orchardvale.example', 13],
    ['Design audit', 3900, 'GBP', 'Fathom Analytics', null, 5],
  ],
  Won: [
    ['Acme renewal', 24300, 'GBP', 'Acme Fixings', 'hannah@acmefixings.example', -3],
    ['Depot lighting', 18250, 'GBP', 'Tidewater Group', 'freya.hansen@tidewater.example', -9],
    ['Loyalty programme', 33400, 'GBP', 'Orchard & Vale', 'bea@orchardvale.example', -14],
    ['Bremen trial extension', 9600, 'EUR', 'Nordhafen GmbH', 'a.petersen@nordhafen.example', -18],
    ['Price list 2027', 12000, 'GBP', 'Copperline', 'owen.davies@copperline.example', -22],
  ],
  Lost: [
    ['Legacy hosting', 14500, 'GBP', 'Ashgrove Capital Partners LLP', 'idris.bello@ashgrovecapital.example', -12],
    ['Vending pilot', 8500, 'GBP', 'Marlowe Foods', null, -30],
  ],
}

/** Moves of deals between stages, in chronological order. */
export const moves: [deal: string, from: string, to: string, by: string][] = [
  ['Ward equipment framework', 'Incoming', 'Qualified', 'Ana Pryce'],
  ['Ward equipment framework', 'Qualified', 'Proposal', 'Callum Reid'],
  ['Acme renewal', 'Verbal Yes', 'Won', 'Ana Pryce'],
]

/** Title, priority, when it is due (days from today, and the hour), contact's e-mail, deal's name, done, repetition. */
type TaskRow = [
  string,
  'low' | 'normal' | 'high' | 'urgent',
  [day: number, hour: number] | null,
  string | null,
  string | null,
  boolean?,
  string?,
]

export const tasks: TaskRow[] = [
  [
    'Send revised framework terms',
    'high',
    [-4, 10],
    'm.featherstonehaugh@lindenhealth.example',
    'Ward equipment framework',
  ],
  ['Chase signed order form', 'urgent', [-1, 16], 'hannah@acmefixings.example', null],
  ['Confirm insurance certificates', 'normal', [-1, 12], null, 'Support retainer'],
  [
    'Call Margaret about delivery slots',
    'normal',
    [0, 22],
    'm.featherstonehaugh@lindenhealth.example',
    'Ward equipment framework',
  ],
  ['Prepare Tidewater site visit pack', 'normal', [0, 23], null, 'Regional rollout, South West and Wales'],
  ['Check cold-store sensor quote with supplier', 'high', [1, 9], null, 'Cold-store monitoring'],
  ['Draft renewal email', 'normal', [3, 11], 'amara.okafor@orchardvale.example', 'Renewal 2027'],
  [
    'Ask Kenji for the shipping terms in English',
    'normal',
    [4, 9],
    'k.watanabe@hoshino.example',
    'Osaka distribution agreement',
  ],
  [
    'Confirm venue for depot training',
    'low',
    [6, 14],
    'freya.hansen@tidewater.example',
    'Training days, northern depots',
  ],
  ["Book demo room at St Brannock's", 'low', [10, 10], null, 'Ward equipment framework'],
  ['Order sample boards for Orchard & Vale', 'normal', [10, 15], 'bea@orchardvale.example', null],
  ['Plan the quay visit with Pieter', 'normal', [14, 9], 'p.vanderheijden@maashaven.example', 'Rotterdam quay sensors'],
  ['Go through the open quotes', 'normal', [5, 9], null, null, false, 'weekly 1 Europe/London'],
  ['Send the pipeline figures to the board', 'normal', [12, 16], null, null, false, 'monthly 31 Europe/London'],
  ['Collect three references from logistics customers', 'normal', null, null, null],
  ['Ask Clémence for the floor plan', 'low', null, 'clemence@maisonaubert.example', 'Lyon showroom pilot'],
  ['Thank Hannah for the referral', 'normal', [0, 9], 'hannah@acmefixings.example', null, true],
  ['Send Acme the countersigned contract', 'high', [-1, 9], 'hannah@acmefixings.example', 'Acme renewal', true],
  ['Share price list 2027', 'normal', [-3, 9], 'owen.davies@copperline.example', 'Price list 2027', true],
  ['Quote for depot lighting', 'normal', [-5, 9], null, 'Depot lighting', true],
  ['Invite Bronwen to the brand', 'low', [-9, 9], null, null, true],
]
