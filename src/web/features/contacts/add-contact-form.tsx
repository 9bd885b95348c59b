import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { beginUndoable } from '#web/crm/undo-action.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useRequiredFields } from '#web/crm/required-fields.tsx'
import { SubmitKeys } from '#web/crm/submit-keys.tsx'
import { useTagsAndNote } from '#web/crm/tags-and-note.tsx'
import { useDraft } from '#web/crm/use-draft.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import { addContactWithCompany } from '#web/data/contact-with-company.ts'
import { type ContactEntry, contactEntry } from '#web/data/contacts.ts'
import { type ContactPatch, findKnownContact, updateKnownContact } from '#web/data/known-contact.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { emailIn, notAnEmailMessage } from '#web/lib/read-person.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { useContentFocus } from '#web/ui/use-content-focus.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { KnownOrTypedValues, type Sides } from './known-or-typed-values.tsx'
import { type Comparison, compareContact } from './compare-contact.ts'
import { ContactFields } from './contact-fields.tsx'
import { type CheckedContact, contactSchema, type TypedContact, typedContact } from './contact-schema.ts'
import { toastContactRefusal, showSavedToast } from './contact-toasts.ts'
import { addDetails } from './add-details.ts'
import { KnownContactHint } from './known-contact-hint.tsx'
import { KnownNumberHint } from './known-number-hint.tsx'
import { splitNameAndEmail } from './split-name-and-email.ts'
import { useKnownContactUntilSubmit } from './use-known-contact-until-submit.ts'

export interface AddContactProps {
  open: boolean
  onClose: () => void
  /**
   * A refused contact to correct: the form starts with its values, and the new contact replaces it. If the contact has an email address,
   * its title and phone are not among these values: they are in a separate, later operation of the outbox.
   */
  correction?: Correction<'contacts'> | null
}

/** A question to the person before a known contact is changed: which of the differing values are right? */
interface Question {
  entry: ContactEntry
  comparison: Comparison
}

/**
 * The dialog with the form for a new contact. The dialog closes after the contact is added (or only saved on this device), and is empty the
 * next time. After a refusal it keeps its input. If a contact already has the email address, the form names that contact and updates it
 * instead: it fills empty fields, and asks which value is right where values differ. A refused contact is sent again without this look-up.
 */
export function AddContactForm({ open, onClose, correction = null }: AddContactProps) {
  const device = useDevice()
  const initialValues = typedContact(correction)
  const form = useForm<TypedContact, unknown, CheckedContact>({
    resolver: standardSchemaResolver(contactSchema),
    defaultValues: initialValues,
  })
  const newRowId = useDraft(form, correction ? null : 'contacts', initialValues)
  const [typedEmail, typedPhone] = useWatch({ control: form.control, name: ['email', 'phone'] })
  const pending = form.formState.isSubmitting
  // A refused contact is sent again without this look-up: if its email address is known, the server's `upsert_contact` completes that contact.
  const knownEntry = useKnownContactUntilSubmit(open && !correction ? emailIn(typedEmail) : null, pending)
  const [question, setQuestion] = useState<Question | null>(null)
  const [sides, setSides] = useState<Sides>({})
  const [hasNothingToSave, setHasNothingToSave] = useState(false)
  const content = useContentFocus(question ? 'question' : 'fields')
  const required = useRequiredFields('contacts', correction?.row.custom)
  const tagsAndNote = useTagsAndNote('contacts', correction ? null : 'contacts')
  const { subscribe } = form
  useEffect(() => subscribe({ formState: { values: true }, callback: () => setHasNothingToSave(false) }), [subscribe])

  const close = () => {
    setQuestion(null)
    setHasNothingToSave(false)
    onClose()
  }
  const closeAndReset = () => {
    close()
    form.reset()
    required.reset()
  }

  async function addOrComplete(contact: CheckedContact) {
    if (contact.email && !emailIn(contact.email)) {
      form.setError('email', { message: notAnEmailMessage }, { shouldFocus: true })
      return toastContactRefusal('An email has 3 to 320 characters and one @ inside')
    }
    // The hint about a known contact may not be shown yet, so the look-up is repeated here and awaited.
    const knownContact = contact.email && !correction ? await findKnownContact(device, contact.email) : undefined
    const data = openBrand(device).get()
    if (!knownContact || !data) return add(contact)
    const entry = contactEntry(data, knownContact)
    // The hint about this contact is not shown yet. Stop, so that the person sees who has the email address before the form updates the contact.
    if (entry.contact.id !== knownEntry?.contact.id) return
    const comparison = compareContact(entry, contact)
    if (comparison.differs.length > 0) {
      setSides({})
      return setQuestion({ entry, comparison })
    }
    if (Object.keys(comparison.fills).length === 0 && !tagsAndNote.isDirty) return setHasNothingToSave(true)
    await complete(entry, comparison.fills)
  }

  async function add(contact: CheckedContact) {
    const custom = required.read()
    if (!custom) return
    const step = beginUndoable(device)
    // Details that are sent after the contact (`addDetails`) are only in the form until then. So its draft is offered again after a reload.
    const hasLaterDetails = (contact.email && (contact.title || contact.phone)) || Object.keys(custom).length > 0
    const rowId = correction?.rowId ?? (hasLaterDetails ? undefined : newRowId())
    const { outcome, isNew } = await step.run(() => addContactWithCompany(device, contact, rowId))
    if (outcome.status === 'refused') return toastContactRefusal(outcome.message)
    tagsAndNote.save(outcome.id, step.run)
    const failure = await step.run(() => addDetails(device, outcome.id, contact, custom))
    const options = isNew ? step.options : {}
    if (failure) toast.error('Error updating contact', { description: failure })
    else if (isNew && outcome.status === 'saved') toast.success('Contact added', options)
    else showSavedToast(device, outcome, outcome.id, options)
    closeAndReset()
  }

  async function complete({ contact }: ContactEntry, patch: ContactPatch) {
    const { run, options } = beginUndoable(device)
    const outcome = await updateKnownContact(device, contact.id, patch, run)
    if (outcome.status === 'refused') return toast.error('Error updating contact', { description: outcome.message })
    tagsAndNote.save(contact.id, run)
    showSavedToast(device, outcome, contact.id, options)
    closeAndReset()
  }

  async function saveDecision({ entry, comparison: { fills, differs } }: Question) {
    const mine = differs.filter(({ field }) => sides[field] === 'mine').map((value) => [value.field, value.mine])
    const patch = { ...fills, ...Object.fromEntries(mine) }
    if (Object.keys(patch).length === 0 && !tagsAndNote.isDirty) {
      toast.success('Nothing changed')
      return closeAndReset()
    }
    await complete(entry, patch)
  }

  const submit = useOnce(() => {
    splitNameAndEmail(form)
    return form.handleSubmit((contact) => (question ? saveDecision(question) : addOrComplete(contact)))()
  })

  return (
    <Dialog
      open={open}
      onClose={close}
      onSubmit={submit}
      pending={pending}
      keepsDraft={(form.formState.isDirty || tagsAndNote.isDirty) && !correction}
      title={question ? 'Which is right?' : 'Add Contact'}
      footer={
        <>
          <Button size="form" onClick={question ? () => setQuestion(null) : close} disabled={pending}>
            {question ? 'Back' : 'Cancel'}
          </Button>
          <Button size="form" variant="primary" type="submit" pending={pending} keys={<SubmitKeys />}>
            {knownEntry || question ? 'Update' : 'Add Contact'}
          </Button>
        </>
      }
    >
      <div ref={content} className="contents">
        {question ? (
          <KnownOrTypedValues
            entry={question.entry}
            comparison={question.comparison}
            sides={sides}
            onChoose={(field, side) => setSides((before) => ({ ...before, [field]: side }))}
          />
        ) : (
          <ContactFields
            form={form}
            hasDetails={!correction || !correction.row.email}
            more={
              <>
                {!knownEntry && required.inputs}
                {tagsAndNote.inputs}
              </>
            }
            numberHint={
              open &&
              !correction && (
                <KnownNumberHint phone={typedPhone} besides={knownEntry?.contact.id} pending={pending} onOpen={close} />
              )
            }
          >
            {knownEntry && <KnownContactHint entry={knownEntry} hasNothingToSave={hasNothingToSave} onOpen={close} />}
          </ContactFields>
        )}
      </div>
    </Dialog>
  )
}
