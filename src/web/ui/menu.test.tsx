// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { Menu, MenuItem, MenuSeparator } from './menu.tsx'

renderInPage()

const press = (key: string) =>
  act(() => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })

test('a disabled item is focusable and does nothing; a separator is not focusable', () => {
  const run = vi.fn()
  act(() =>
    reactRoot.render(
      <Menu label="Deal" trigger={<button type="button">More</button>}>
        <MenuItem onSelect={run}>Edit</MenuItem>
        <MenuSeparator />
        <MenuItem disabled onSelect={run}>
          Not now
        </MenuItem>
      </Menu>,
    ),
  )
  act(() => document.querySelector('button')?.click())
  press('ArrowDown')
  const item = document.activeElement as HTMLElement
  expect(item.textContent).toBe('Not now')
  expect(item.getAttribute('aria-disabled')).toBe('true')
  act(() => item.click())
  expect(run).not.toHaveBeenCalled()
  expect(document.querySelector('[role=menu]')).not.toBeNull()
  press('ArrowDown')
  act(() => (document.activeElement as HTMLElement).click())
  expect(run).toHaveBeenCalledOnce()
  expect(document.querySelector('[role=menu]')).toBeNull()
})

test('letters find an item by its text, not by the icon before it', () => {
  act(() =>
    reactRoot.render(
      <Menu label="Owner" trigger={<button type="button">Owner</button>}>
        <MenuItem onSelect={vi.fn()}>Bo Bellweather</MenuItem>
        <MenuItem icon={<span>★</span>} hint="You" onSelect={vi.fn()}>
          Ana Pryce
        </MenuItem>
      </Menu>,
    ),
  )
  act(() => document.querySelector('button')?.click())
  press('a')
  press('n')
  expect(document.activeElement?.textContent).toBe('★Ana PryceYou')
})
