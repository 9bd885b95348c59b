// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { SyncBadge, type SyncBadgeProps } from './sync-badge.tsx'

renderInPage()

function shownBadge(props: SyncBadgeProps) {
  act(() => reactRoot.render(<SyncBadge {...props} />))
  const badge = document.querySelector('button')
  return {
    label: badge?.getAttribute('aria-label'),
    text: badge?.textContent,
    icons: badge?.querySelectorAll('svg').length,
  }
}

test('a badge that asks for attention also says that the server is unreachable, and how many changes wait', () => {
  const shown = (count: number, isOffline: boolean) => shownBadge({ state: 'attention', count, isOffline })
  expect(shown(2, true)).toEqual({
    label: 'Needs attention, Offline, 2 waiting',
    text: 'Needs attentionOffline, 2 waiting',
    icons: 2,
  })
  expect(shown(0, true)).toMatchObject({ label: 'Needs attention, Offline', icons: 2 })
  expect(shown(1, false)).toMatchObject({ label: 'Needs attention, 1 waiting', icons: 1 })
  expect(shown(0, false)).toEqual({ label: 'Needs attention', text: 'Needs attention', icons: 1 })
})
