// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { acme, ana, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import { TagPicker } from './tag-picker.tsx'

renderInPage()

test('the tag picker finds a tag without its accents and offers to add the typed one below it', async () => {
  const { data, device } = await openLoneTab()
  putRows(data, 'tags', { id: 'e', name: 'Éclair', color: 'blue' }, { id: 'p', name: 'Press', color: 'blue' })
  const memberships = [{ brandId: acme, name: 'Acme', slug: 'acme', role: 'owner' as const }]
  membershipsOf(device).set({ userId: ana, ready: true, fresh: true, memberships, error: null })
  activeBrandState(device).set({ ready: true, brandId: acme, name: 'Acme', lost: null })
  const [onTake, onMake] = [vi.fn(), vi.fn()]
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <TagPicker label="Tags" anchor={{ current: null }} onTake={onTake} onMake={onMake} onClose={() => {}} />
      </DeviceContext>,
    ),
  )
  const field = document.querySelector('input') as HTMLInputElement
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'eclair')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const options = [...document.querySelectorAll('[role=option]')].map((option) => option.textContent)
  expect(options).toEqual(['Éclair', 'Add “eclair”'])
  act(() => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })))
  expect(onTake).toHaveBeenCalledWith(expect.objectContaining({ name: 'Éclair' }))
  expect(onMake).not.toHaveBeenCalled()
})
