/** A note of the demo's people about a contact, company or deal. */
interface DemoNote {
  kind: 'note' | 'call' | 'meeting'
  /** Days before today, and the hour. */
  when: [days: number, hour: number]
  /** The name of the author. */
  by: string
  /** What the note is about: a contact by e-mail address, a company by name, a deal by name. */
  contact?: string
  company?: string
  deal?: string
  pinned?: true
  body: string
}

export const notes: DemoNote[] = [
  {
    kind: 'meeting',
    when: [9, 14],
    by: 'Ana Pryce',
    contact: 'm.featherstonehaugh@lindenhealth.example',
    deal: 'Ward equipment framework',
    body: 'On site with Margaret and two ward managers. They need:\n\n- delivery **before 6 a.m.**, by the north gate\n- one invoice a month for all wards\n- a trial on one ward first\n\nTerms follow by the end of the week.',
  },
  {
    kind: 'call',
    when: [3, 10],
    by: 'Priya Nair',
    contact: 'm.featherstonehaugh@lindenhealth.example',
    deal: 'Ward equipment framework',
    body: 'The committee meets on Thursday. Margaret wants the revised terms the day before, as one page.',
  },
  {
    kind: 'note',
    when: [40, 11],
    by: 'Callum Reid',
    company: 'Linden Health NHS Trust',
    pinned: true,
    body: 'Procurement answers on Tuesdays and Thursdays. Framework: https://lindenhealth.example/suppliers',
  },
  {
    kind: 'call',
    when: [1, 9],
    by: 'Callum Reid',
    contact: 'hannah@acmefixings.example',
    body: 'Hannah has the order form and signs it **this week**. She asks for the new bank details by post.',
  },
  {
    kind: 'meeting',
    when: [5, 15],
    by: 'Bronwen Lloyd',
    contact: 'gethin@cambriancoaches.example',
    company: 'Cambrian Coaches',
    body: 'Walked the depot in Aberystwyth. 34 coaches, 12 without telematics. The board decides in March.',
  },
  {
    kind: 'note',
    when: [2, 16],
    by: 'Priya Nair',
    contact: 'k.watanabe@hoshino.example',
    body: 'Kenji reads English well. Contracts go out in both languages, quotes in yen without decimals.',
  },
  {
    kind: 'call',
    when: [6, 11],
    by: 'Ana Pryce',
    contact: 'lucia.romero@kestrel.example',
    deal: 'Annual support contract',
    body: 'Lucía compares two offers:\n\n1. ours, with a response in four hours\n2. one without a service level\n\nShe decides by price per depot.',
  },
]
