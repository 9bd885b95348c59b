// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { locationOf } from './page-location.ts'
import { ScrollMemory } from './scroll-memory.ts'

const pageOf = (pathname: string) => pathname.split('/', 3).join('/')
const [deals, deal, contacts, deals2] = ['/crm/deals', '/crm/deals/7', '/crm/contacts', '/crm/deals'].map((path) =>
  locationOf(path),
)

function started() {
  const memory = new ScrollMemory(pageOf, '#main')
  memory.start()
  return memory
}

const element = (id: string) => document.getElementById(id) ?? document.body

/** A list in the frame, and what was scrolled in it. */
function show(memory: ScrollMemory, location = deals) {
  const frame = document.getElementById('main')
  const list = '<ul id="list"><li></li></ul>'
  if (frame) frame.innerHTML = list
  else document.body.innerHTML = `<main id="main">${list}</main>`
  if (location) memory.arrive(location)
}

function scroll(id: string, top: number) {
  element(id).scrollTop = top
  element(id).dispatchEvent(new Event('scroll'))
}

const tops = () => ['main', 'list'].map((id) => element(id).scrollTop)

beforeEach(() => {
  sessionStorage.clear()
  document.body.innerHTML = ''
})

test('another page begins at its top; Back leads to where it was left', () => {
  const memory = started()
  show(memory, deals)
  scroll('main', 30)
  scroll('list', 400)
  memory.leave()
  show(memory, contacts)
  expect(tops()).toEqual([0, 0])
  scroll('list', 50)
  memory.leave()
  show(memory, deals)
  expect(tops()).toEqual([30, 400])
  memory.leave()
  show(memory, contacts)
  expect(tops()).toEqual([0, 50])
  memory.leave()
  show(memory, deals2)
  expect(tops()).toEqual([0, 0])
})

test('a step within a page moves nothing, and the page is found there too', () => {
  const memory = started()
  show(memory, deals)
  scroll('list', 400)
  memory.leave()
  if (deal) memory.arrive(deal)
  expect(tops()).toEqual([0, 400])
  memory.leave()
  show(memory, contacts)
  memory.leave()
  show(memory, deal)
  expect(tops()).toEqual([0, 400])
})

test('after a reload the page is where it was', () => {
  const before = started()
  show(before, deals)
  scroll('list', 400)
  dispatchEvent(new Event('pagehide'))
  expect(history.scrollRestoration).toBe('auto')
  document.body.innerHTML = ''
  const after = started()
  expect(history.scrollRestoration).toBe('manual')
  show(after, deals)
  expect(tops()).toEqual([0, 400])
})

test('what is stored and cannot be read is as nothing', () => {
  sessionStorage.setItem('banyan-scroll', '{"a":')
  const memory = started()
  show(memory, deals)
  expect(tops()).toEqual([0, 0])
})

test('an address with a hash leads to that element, unless its entry was left elsewhere', () => {
  const memory = started()
  const seen: string[] = []
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function note(this: Element) {
    seen.push(this.id)
  })
  const linked = locationOf('/crm/tasks#list')
  show(memory, linked)
  expect(seen).toEqual(['list'])
  scroll('list', 10)
  memory.leave()
  show(memory, contacts)
  memory.leave()
  show(memory, linked)
  expect(seen).toEqual(['list'])
  expect(tops()).toEqual([0, 10])
})
