// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { locationOf } from './page-location.ts'
import { ScrollMemory } from './scroll-memory.ts'

const pageOf = (pathname: string) => pathname.split('/', 3).join('/')
const [deals, deal, contacts, laterDeals] = ['/crm/deals', '/crm/deals/7', '/crm/contacts', '/crm/deals'].map((path) =>
  locationOf(path),
)

function startMemory() {
  const memory = new ScrollMemory(pageOf, '#main')
  memory.start()
  return memory
}

const element = (id: string) => document.getElementById(id) ?? document.body

/** Shows a list in the frame, and restores the scroll positions of the location. */
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

const scrollTops = () => ['main', 'list'].map((id) => element(id).scrollTop)

beforeEach(() => {
  sessionStorage.clear()
  document.body.innerHTML = ''
})

test('another page starts at its top; Back restores its scroll position', () => {
  const memory = startMemory()
  show(memory, deals)
  scroll('main', 30)
  scroll('list', 400)
  memory.leave()
  show(memory, contacts)
  expect(scrollTops()).toEqual([0, 0])
  scroll('list', 50)
  memory.leave()
  show(memory, deals)
  expect(scrollTops()).toEqual([30, 400])
  memory.leave()
  show(memory, contacts)
  expect(scrollTops()).toEqual([0, 50])
  memory.leave()
  show(memory, laterDeals)
  expect(scrollTops()).toEqual([0, 0])
})

/** Limits how far the frame can scroll, as if its content were low. Returns the function that sets the limit (px). */
function limitScroll(): (height: number) => void {
  let maxTop = 0
  vi.spyOn(element('main'), 'scrollTo').mockImplementation((_: unknown, top?: number) => {
    element('main').scrollTop = Math.min(top ?? 0, maxTop)
  })
  return (limit) => (maxTop = limit)
}

test('a position is restored when the content has become high enough, unless the person scrolls first', async () => {
  for (const isScrolledByPerson of [false, true]) {
    const memory = startMemory()
    show(memory, deals)
    scroll('main', 300)
    memory.leave()
    show(memory, contacts)
    memory.leave()
    const setHeight = limitScroll()
    show(memory, deals)
    expect(element('main').scrollTop).toBe(0)
    if (isScrolledByPerson) dispatchEvent(new Event('wheel'))
    setHeight(1000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(element('main').scrollTop).toBe(isScrolledByPerson ? 0 : 300)
    vi.restoreAllMocks()
    document.body.innerHTML = ''
  }
})

test('a position that was not reached yet is stored again', () => {
  const memory = startMemory()
  show(memory, deals)
  scroll('main', 300)
  memory.leave()
  show(memory, contacts)
  memory.leave()
  limitScroll()
  show(memory, deals)
  memory.leave()
  vi.restoreAllMocks()
  show(memory, contacts)
  memory.leave()
  show(memory, deals)
  expect(element('main').scrollTop).toBe(300)
})

test('an element that was not scrolled is not scrolled to its top, because the browser would have to compute the layout', () => {
  const scrollTo = vi.spyOn(Element.prototype, 'scrollTo')
  const memory = startMemory()
  show(memory, deals)
  show(memory, contacts)
  expect(scrollTo).not.toHaveBeenCalled()
  scroll('main', 30)
  show(memory, laterDeals)
  expect(scrollTo.mock.contexts).toEqual([element('main')])
  scrollTo.mockRestore()
})

test('navigation within a page does not scroll; Back from another page restores the scroll position', () => {
  const memory = startMemory()
  show(memory, deals)
  scroll('list', 400)
  memory.leave()
  if (deal) memory.arrive(deal)
  expect(scrollTops()).toEqual([0, 400])
  memory.leave()
  show(memory, contacts)
  memory.leave()
  show(memory, deal)
  expect(scrollTops()).toEqual([0, 400])
})

test('after a reload the scroll position is restored', () => {
  const memoryBefore = startMemory()
  show(memoryBefore, deals)
  scroll('list', 400)
  dispatchEvent(new Event('pagehide'))
  expect(history.scrollRestoration).toBe('auto')
  document.body.innerHTML = ''
  const memoryAfter = startMemory()
  expect(history.scrollRestoration).toBe('manual')
  show(memoryAfter, deals)
  expect(scrollTops()).toEqual([0, 400])
})

test('stored positions that cannot be read are ignored', () => {
  sessionStorage.setItem('banyan-scroll-positions', '{"a":')
  const memory = startMemory()
  show(memory, deals)
  expect(scrollTops()).toEqual([0, 0])
})

test('a URL with a hash scrolls to that element, unless scroll positions are stored for the history entry', () => {
  const memory = startMemory()
  const scrolledIds: string[] = []
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function record(this: Element) {
    scrolledIds.push(this.id)
  })
  const linkedLocation = locationOf('/crm/tasks#list')
  show(memory, linkedLocation)
  expect(scrolledIds).toEqual(['list'])
  scroll('list', 10)
  memory.leave()
  show(memory, contacts)
  memory.leave()
  show(memory, linkedLocation)
  expect(scrolledIds).toEqual(['list'])
  expect(scrollTops()).toEqual([0, 10])
})
