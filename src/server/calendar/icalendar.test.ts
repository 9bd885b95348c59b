import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, it } from 'vitest'
import { type CalendarEvent, toICalendar } from './icalendar.ts'

const event: CalendarEvent = {
  id: 'b.t',
  path: '/crm/tasks/t',
  summary: 'Call',
  description: '',
  day: null,
  at: '2026-03-29T01:30:00+00:00',
  changed_at: '2026-11-23T10:00:00.123456+00:00',
  version: 3,
}
const parseEvents = (body: string) => new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent')

it('a calendar event has its time in UTC or its day, a stable id, its version and the URL of its page', () => {
  const body = toICalendar({ name: 'Mine', events: [event, { ...event, day: '2026-12-31' }] }, 'https://crm.example')
  const [timed, allDay] = parseEvents(body).map((component) => new ICAL.Event(component))
  expect(timed?.startDate.toString()).toBe('2026-03-29T01:30:00Z')
  expect(timed?.endDate.toString()).toBe('2026-03-29T02:00:00Z')
  expect(allDay?.startDate).toMatchObject({ isDate: true, year: 2026, month: 12, day: 31 })
  expect(allDay?.endDate.toString()).toBe('2027-01-01')
  expect(timed).toMatchObject({ uid: 'b.t@banyan-crm', sequence: 3, description: 'https://crm.example/crm/tasks/t' })
  const textOf = (name: string) => timed?.component.getFirstPropertyValue(name)?.toString()
  expect(['url', 'dtstamp', 'last-modified', 'transp'].map(textOf)).toEqual([
    'https://crm.example/crm/tasks/t',
    '2026-11-23T10:00:00Z',
    '2026-11-23T10:00:00Z',
    'TRANSPARENT',
  ])
})

it('a calendar contains any text in lines of at most 75 bytes, and a parser reads the text without its control characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      (summary, description) => {
        const body = toICalendar({ name: 'Mine', events: [{ ...event, summary, description }] }, 'https://crm.example')
        for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        const [onlyEvent, ...otherEvents] = parseEvents(Buffer.from(body).toString())
        expect(otherEvents).toEqual([])
        const withoutControls = (value: string) =>
          Buffer.from(value)
            .toString()
            .replace(/\r\n?/g, '\n')
            .replace(/(?![\t\n])\p{Cc}/gu, '')
        expect(onlyEvent?.getFirstPropertyValue('summary')).toBe(withoutControls(summary))
        const descriptionLines = [
          ...(description ? [withoutControls(description)] : []),
          'https://crm.example/crm/tasks/t',
        ]
        expect(onlyEvent?.getFirstPropertyValue('description')).toBe(descriptionLines.join('\n'))
      },
    ),
    { numRuns: 100, examples: [['', '\r']] },
  )
})
