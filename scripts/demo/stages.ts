/** For each stage of the demo: the probability that its deals are won, in percent, and how many days a deal usually stays in it. */
export const stageFacts: Readonly<Record<string, { probability: number; usual_days?: number }>> = {
  Incoming: { probability: 10, usual_days: 7 },
  Qualified: { probability: 30, usual_days: 14 },
  Proposal: { probability: 50, usual_days: 21 },
  'Verbal Yes': { probability: 80, usual_days: 10 },
  Won: { probability: 100 },
  Lost: { probability: 0 },
}

/** The lost reasons of the demo's deals. */
export const lostReasons: Readonly<Record<string, string>> = {
  'Legacy hosting': 'Price',
  'Vending pilot': 'No site for the machines before spring',
}

/** Further contacts of the demo's deals: deal, e-mail address, part. */
export const furtherContacts: readonly [string, string, 'decides' | 'pays' | 'uses'][] = [
  ['Data migration', 'sian.prosser@tidewater.example', 'decides'],
  ['Data migration', 'freya.hansen@tidewater.example', 'uses'],
  ['Expansion seats', 'bea@orchardvale.example', 'decides'],
  ['Security review', 'jonas@kestrel.example', 'pays'],
]
