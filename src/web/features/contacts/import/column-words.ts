/**
 * The fields that a column of a file can map to. `name`: first and last name together. `id`: the id of a contact, in a file that this app
 * exported.
 */
export const fieldNames = [
  'email',
  'phone',
  'first_name',
  'last_name',
  'name',
  'title',
  'company',
  'tags',
  'id',
] as const
export type FieldName = (typeof fieldNames)[number]

/** A custom field that a column maps to. */
export type CustomColumn = `custom.${string}`

/** Returns the key of a custom field in a `ColumnMap`. */
export function customColumn(id: string): CustomColumn {
  return `custom.${id}`
}

const wordsIn = (text: string) => text.trim().split(/\s+/)

/**
 * The usual column heads of each field, normalised by `comparableHead`, the best match first: English and the exports of other programs,
 * then German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian and Finnish.
 */
export const columnWords: Record<FieldName, readonly string[]> = {
  email: wordsIn(`
    email emailaddress mail mailaddress emails email1value primaryemail workemail contactemail emailwork businessemail
    emailother otheremail emailhome homeemail personalemail
    emailadresse mailadresse emailanschrift courriel adressemail adresseemail adressecourriel adresseelectronique mel
    correo correoelectronico direcciondecorreo direcciondecorreoelectronico direccionemail postaelettronica
    indirizzoemail indirizzomail indirizzodipostaelettronica correioeletronico correioelectronico enderecodeemail
    enderecoeletronico emailadres mailadres adresemail adrespocztyelektronicznej pocztaelektroniczna poczta
    epost epostadress epostadresse mejl mejladress mailadress sahkoposti sahkopostiosoite`),
  phone: wordsIn(`
    phone phonenumber telephone telephonenumber tel telno phoneno telnumber phone1value primaryphone workphone
    businessphone phonework officephone companyphone directphone directdial telefon telefonnummer telefonnr telnr
    rufnummer telefongeschaftlich telefongeschaeftlich telefonbuero durchwahl festnetz numerodetelephone telephonefixe
    telefono numerodetelefono numeroditelefono telefone numerodetelefone telefoon telefoonnummer telefoonnr
    numertelefonu nrtelefonu tlf tlfnr puhelin puhelinnumero
    mobile mobilephone mobilenumber mobileno cell cellphone cellnumber handy handynummer mobil mobiltelefon mobilnummer
    mobilnr portable telephoneportable telephonemobile gsm movil telefonomovil celular cellulare telemovel mobiel
    mobielnummer mobieltelefoon komorka telefonkomorkowy matkapuhelin phonemobile phoneother otherphone phonehome
    homephone`),
  first_name: wordsIn(`
    firstname givenname forename first fname contactfirstname christianname vorname rufname prenom primernombre
    nombredepila primeironome voornaam imie fornamn tilltalsnamn fornavn etunimi`),
  last_name: wordsIn(`
    lastname familyname surname last lname contactlastname nachname familienname zuname nomdefamille apellido apellidos
    primerapellido cognome sobrenome apelido ultimonome achternaam familienaam nazwisko efternamn efternavn etternavn
    sukunimi`),
  name: wordsIn(`
    fullname name contactname contact displayname personname person vollername vollstandigername vollstaendigername
    ansprechpartner ansprechpartnerin kontaktname kontaktperson kontakt vorundnachname vornamenachname vornamename
    nomcomplet nometprenom prenometnom nom interlocuteur nombrecompleto nombreyapellido nombreyapellidos nombre contacto
    nomecompleto nomeecognome nominativo nome contatto referente contato volledigenaam naam contactpersoon
    imieinazwisko osobakontaktowa fullstandigtnamn namn fuldenavn fulltnavn navn kokonimi nimi`),
  title: wordsIn(`
    jobtitle title job position role jobrole function occupation organization1title organizationtitle jobposition
    jobbezeichnung berufsbezeichnung stellenbezeichnung positionsbezeichnung funktion stelle beruf rolle titel poste
    fonction intituleduposte titreduposte titre cargo puesto puestodetrabajo titulo ruolo qualifica posizione mansione
    titolo funcao functie functietitel functienaam stanowisko stanowiskopracy tytul befattning jobbtitel yrkestitel roll
    stilling stillingsbetegnelse jobtitel tehtavanimike titteli nimike`),
  company: wordsIn(`
    company companyname organization organisation organizationname organisationname organization1name
    primaryassociatedcompany associatedcompany account accountname employer org business businessname firma firmenname
    firmaname unternehmen unternehmensname gesellschaft societe entreprise nomdelasociete nomdelentreprise nomentreprise
    raisonsociale empresa compania nombredelaempresa nombreempresa razonsocial organizacion azienda nomeazienda societa
    ditta impresa organizzazione ragionesociale companhia nomedaempresa nomeempresa razaosocial organizacao bedrijf
    bedrijfsnaam organisatie werkgever nazwafirmy przedsiebiorstwo organizacja pracodawca foretag foretagsnamn bolag
    bolagsnamn arbetsgivare virksomhed virksomhedsnavn firmanavn selskab selskap bedrift bedriftsnavn yritys
    yrityksennimi organisaatio`),
  tags: wordsIn(`
    tags tag labels label categories category groups group contacttags groupmembership keywords schlagworte
    schlagworter stichworte kategorien kategorie etiketten etiquettes etiquetas etichette categorie etiquetes tagi
    etiquette etiqueta etichetta etikett etiketter etikietki kategorier avainsanat tunnisteet`),
  id: ['banyanid'],
}

/** Words in the heads of columns of private email addresses and phone numbers. Such columns are used last. */
const privateWords = wordsIn('home privat prive personal domicile particular casa thuis')

/** Whether the head names a private email address or phone number: 'Home Phone', 'Telefon (privat)'. */
export function isPrivateHead(head: string): boolean {
  const key = comparableHead(head)
  return privateWords.some((word) => key.includes(word))
}

/**
 * Heads that mean the first or the last name, depending on which of the two has its own column: German 'Vorname, Name', Spanish 'Nombre,
 * Apellidos'.
 */
export const nameWords = new Set(wordsIn('name nom nombre nome naam namn navn nimi'))

const plainLetters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i' }

/**
 * Returns the head of a column in a form that can be compared: the lower case letters and digits of its first 200 characters, without accents.
 */
export function comparableHead(head: string): string {
  return head
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøłđðı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '')
}
