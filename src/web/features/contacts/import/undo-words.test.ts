import { describe, expect, it } from 'vitest'
import { planWords, undoVerb } from './undo-words.ts'

const emptyPlan = { removable: 0, kept: 0, restorable: 0, changed: 0, unused_companies: 0 }

describe('the dialog that asks for confirmation before an import is undone', () => {
  it('if nothing can be undone, the dialog has no button that undoes the import, and says what stays', () => {
    expect(undoVerb(emptyPlan)).toBeNull()
    const planWithoutUndo = { ...emptyPlan, kept: 2, changed: 1 }
    expect(undoVerb(planWithoutUndo)).toBeNull()
    expect(planWords(planWithoutUndo)).toEqual([
      'Nothing of this import can be undone now.',
      '2 contacts stay: they were changed since, or a deal or task refers to them.',
      '1 contact keeps the values of the import: it was changed since.',
      'If a later import changed them, undo that one first.',
    ])
  })

  it('the dialog says what is undone: contacts, values, or only companies', () => {
    expect(undoVerb({ ...emptyPlan, removable: 1, unused_companies: 3 })).toBe('Delete 1 contact')
    expect(undoVerb({ ...emptyPlan, removable: 1, restorable: 1 })).toBe('Delete and restore')
    expect(undoVerb({ ...emptyPlan, restorable: 2 })).toBe('Restore 2 contacts')
    expect(undoVerb({ ...emptyPlan, unused_companies: 2, kept: 1 })).toBe('Delete 2 companies')
    expect(planWords({ ...emptyPlan, unused_companies: 2 })).toEqual([
      '2 companies that it added and that no record uses are deleted.',
      'Contacts that were there before stay as they are now.',
      'If the import made new tags, these tags stay.',
    ])
  })
})
