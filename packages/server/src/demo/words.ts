/**
 * The words that the demo catalogue is made of. Every title, studio, publisher, brand and shop is invented;
 * a new word must not be (or combine into) the name of a real game or company. Platform names are real.
 */

/** Reads a list written as running text, parted by commas. */
function list(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim());
}

export const TITLE_ADJECTIVES = list(`
  Iron, Amber, Cobalt, Verdant, Gilded, Ashen, Velvet, Tidal, Clockwork, Umbral, Saffron, Ivory, Granite,
  Copper, Thistle, Wandering, Hushed, Slate, Marble, Salted, Lacquered, Brass, Sundered, Candlelit, Borrowed,
  Restless, Tangled, Northbound, Sleepless, Glass, Burnished, Cinder, Juniper, Indigo, Pewter, Ochre, Starlit,
  Windswept, Lowland, Bramble, Whispering, Stormlit, Frosted, Painted, Drifting`);

export const TITLE_NOUNS = list(`
  Meridian, Lantern, Orchard, Viaduct, Semaphore, Almanac, Tributary, Causeway, Monsoon, Quarry, Observatory,
  Regatta, Foundry, Parallax, Archipelago, Cartographer, Sparrow, Heron, Caravan, Sextant, Aqueduct, Cloister,
  Gantry, Isthmus, Menagerie, Nocturne, Orrery, Rampart, Sanctum, Threshold, Vigil, Waystation, Windmill,
  Ferryman, Estuary, Conservatory, Armada, Barometer, Metronome, Palisade, Outrider, Courier, Ziggurat,
  Belfry, Lagoon, Thicket, Embassy, Horologist`);

/** Halves of invented place names; each pair is one. */
export const PLACE_BEGINNINGS = list(`
  Vel, Kor, Zan, Thal, Myr, Oro, Quil, Bren, Lum, Tess, Ard, Cael, Dro, Fen, Hal, Ith, Jor, Nar, Osk, Per,
  Rav, Syl, Var, Wen, Yss`);
export const PLACE_ENDINGS = list(`
  mora, ovar, andria, avane, orrow, enfell, othis, ilia, undra, aquay, immer, ostra, ewyn, abrook`);

export const SUBTITLES = list(`
  The Long Thaw, A Debt of Salt, Songs for the Deep, The Ninth Bell, Ashes & Orchards, Below the Glass Sea,
  The Winter Assembly, The Last Ferry, Kingdom of Kites, The Paper Crown, Tides of Brass, A Quiet Rebellion,
  The Tin Prophet, Echoes of Rain, The Cartographer's Oath, Nine Candles, The Salt Road, Harvest of Stars`);

export const DLC_NAMES = list(`
  The Drowned Coast, Night Market, Frostbound Pack, Season Pass, Soundtrack & Artbook, Expansion Pass,
  Clockmaker's Wardrobe, Lost Provinces, Harbour Lights, Veteran's Satchel, Hidden Valleys, Founder's Banner`);

export const STUDIOS = list(`
  Copper Heron Studio, Tall Pine Works, Marrowstone Interactive, Old Quay Games, Seventh Stair,
  Blue Ferry Interactive, Quiet Kettle Games, Ninefold Orchard, Hillside Semaphore, Third Lamp Collective,
  Saltmarsh Digital, Oxbow & Daughters, Inkwell Foundry, Low Tide Machines, Pebble Cathedral,
  Northern Almanac, Kestrel Yard, Half Moon Carpentry, Tin Meadow, Lanternjaw Games, Vellum & Vine,
  Small Hours Software, Gravel Road Games, Ferncliff Entertainment, Twelve Sparrows, Hedgerow Arcade,
  Bright Cellar, Moth & Mirror, Upper Deck Tram, Brindle Bay Studios`);

export const PUBLISHERS = list(`
  Meridian Quay Publishing, Harrowgate Arcade, Lumenfold, Oakline Interactive, Castaway Press Games,
  Tramline Entertainment, Polder Digital, Highwater Interactive, Silverbark, Fjordlight Games,
  Marigold Publishing, Cloudberry Arcade, Stonebridge Play, Wickerwork Games`);

/** Shops of the marketplace; there are as many sellers as names. */
export const SHOP_NAMES = list(`
  Codewharf, KeyOrchard, Pixelpantry, Lootlarder, Digital Dovecote, Nordlys Keys, Mintpress Codes,
  Alder & Byte, Quaystone Games, The Key Cellar, Playbarrow, Sunday Loot, Tinkerkeys, Cartwheel Digital,
  Bazar Klucz, Schlüsselkiste, La Clef Pixel, Llave Nueva, Chiave Rapida, Keystream Outlet, Moonrock Codes,
  Gamer's Granary, Penny Joystick, Fastlane Keys, Vaultberry, Instant Acorn, Redbrick Digital, Lazy Pixel,
  Bytebodega, Harbour Street Games, Owl & Modem, Key Kiosk 24, Nimbus Codes, Corner Arcade, Turbo Marmot,
  Paperclip Games, Northgate Digital, Zip & Code, Little Vendor, Crate & Key`);

export const SHOP_BRANDS: readonly Brand[] = [
  { name: 'Brightbasket', category: 'Shopping' },
  { name: 'Plazora', category: 'Shopping' },
  { name: 'Wearlow', category: 'Fashion' },
  { name: 'Threadnook', category: 'Fashion' },
  { name: 'Tunemoss', category: 'Music' },
  { name: 'Streamwick', category: 'Video' },
  { name: 'Cinequay', category: 'Video' },
  { name: 'Cabpeak', category: 'Travel' },
  { name: 'Railfinch', category: 'Travel' },
  { name: 'Stayfern', category: 'Travel' },
  { name: 'Bitelane', category: 'Food' },
  { name: 'Crumb & Co', category: 'Food' },
  { name: 'Pagefern', category: 'Books' },
  { name: 'Homenest', category: 'Home' },
  { name: 'Kitlark', category: 'Sports' },
  { name: 'Playquay', category: 'Gaming' },
  { name: 'Arcadeon', category: 'Gaming' },
  { name: 'Lootmint', category: 'Gaming' },
];

export const SOFTWARE_LINES: readonly SoftwareLine[] = [
  { vendor: 'Tabula', name: 'Tabula Office Home', category: 'Office', basePriceCents: 4490, isYearly: false },
  {
    vendor: 'Tabula',
    name: 'Tabula Office Business',
    category: 'Office',
    basePriceCents: 8990,
    isYearly: false,
  },
  { vendor: 'Tabula', name: 'Tabula Notes Plus', category: 'Office', basePriceCents: 1990, isYearly: true },
  {
    vendor: 'Wardenly',
    name: 'Wardenly Antivirus',
    category: 'Security',
    basePriceCents: 1190,
    isYearly: true,
  },
  {
    vendor: 'Wardenly',
    name: 'Wardenly Total Security',
    category: 'Security',
    basePriceCents: 1890,
    isYearly: true,
  },
  {
    vendor: 'Hedgewall',
    name: 'Hedgewall Internet Shield',
    category: 'Security',
    basePriceCents: 1490,
    isYearly: true,
  },
  {
    vendor: 'Hedgewall',
    name: 'Hedgewall Family Guard',
    category: 'Security',
    basePriceCents: 2290,
    isYearly: true,
  },
  {
    vendor: 'Tunnelby',
    name: 'Tunnelby Private Network',
    category: 'Security',
    basePriceCents: 2490,
    isYearly: true,
  },
  {
    vendor: 'Disklane',
    name: 'Disklane Backup',
    category: 'Utilities',
    basePriceCents: 1690,
    isYearly: true,
  },
  {
    vendor: 'Disklane',
    name: 'Disklane Partition Studio',
    category: 'Utilities',
    basePriceCents: 2290,
    isYearly: false,
  },
  {
    vendor: 'Broomstick',
    name: 'Broomstick Cleaner Pro',
    category: 'Utilities',
    basePriceCents: 890,
    isYearly: true,
  },
  {
    vendor: 'Broomstick',
    name: 'Broomstick Driver Care',
    category: 'Utilities',
    basePriceCents: 990,
    isYearly: true,
  },
  {
    vendor: 'Keeplock',
    name: 'Keeplock Password Vault',
    category: 'Utilities',
    basePriceCents: 1290,
    isYearly: true,
  },
  {
    vendor: 'Pixelmere',
    name: 'Pixelmere Photo Editor',
    category: 'Design',
    basePriceCents: 3490,
    isYearly: false,
  },
  {
    vendor: 'Pixelmere',
    name: 'Pixelmere Vector Desk',
    category: 'Design',
    basePriceCents: 3990,
    isYearly: false,
  },
  {
    vendor: 'Reelbench',
    name: 'Reelbench Video Suite',
    category: 'Design',
    basePriceCents: 4990,
    isYearly: true,
  },
  {
    vendor: 'Notewright',
    name: 'Notewright Composer',
    category: 'Music',
    basePriceCents: 5990,
    isYearly: false,
  },
  {
    vendor: 'Papermill',
    name: 'Papermill PDF Professional',
    category: 'Office',
    basePriceCents: 2990,
    isYearly: false,
  },
];

/** An invented brand that sells gift cards. */
export type Brand = {
  readonly name: string;
  /** Name of the catalogue category that its cards belong to. */
  readonly category: string;
};

/** An invented program, sold for several numbers of devices. */
export type SoftwareLine = {
  readonly vendor: string;
  readonly name: string;
  readonly category: string;
  /** EUR cents for one device, and one year where it is yearly. */
  readonly basePriceCents: number;
  /** Licensed for a number of years; otherwise once for a version. */
  readonly isYearly: boolean;
};
