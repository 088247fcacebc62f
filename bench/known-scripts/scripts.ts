import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FontName, FontSet } from '../letters/fonts.js';
import { pick } from '../letters/random-lines.js';

/** A script that the recogniser does not read. */
export interface OtherScript {
  readonly name: string;
  /** A letter of it: each font must have it, or another font would be drawn in its place. */
  readonly letter: string;
  /** How many times as many lines as of others are learnt from: its letters resemble Latin ones. Once unless given. */
  readonly times?: number;
  /** The net learns from the first, and is measured on the second. */
  readonly fonts: Readonly<Record<'learn' | 'report', readonly FontName[]>>;
  /** A word of random letters: the net learns from those, too. */
  random(random: () => number): string;
  /** Words as signs and papers have them. */
  readonly words: readonly string[];
}

/** Letters, the frequent ones first, which are chosen more often. */
const ofLetters =
  (letters: string, { min = 2, max = 10 } = {}) =>
  (random: () => number): string => {
    const all = [...letters];
    const count = min + Math.floor(random() * (max - min + 1));
    return Array.from({ length: count }, () => all[Math.floor(random() ** 1.6 * all.length)] ?? '').join('');
  };

/** With capitals: some words begin with one, some have no other. */
const withCapitals =
  (word: (random: () => number) => string) =>
  (random: () => number): string => {
    const small = word(random);
    const kind = random();
    if (kind < 0.5) return small;
    const [first = '', ...rest] = small;
    return kind < 0.75 ? first.toLocaleUpperCase() + rest.join('') : small.toLocaleUpperCase();
  };

/** Consonants, each of which may carry a vowel sign. */
const ofSyllables =
  (consonants: string, signs: string, vowels = '') =>
  (random: () => number): string => {
    const count = 2 + Math.floor(random() * 4);
    return Array.from({ length: count }, (_, at) => {
      if (at === 0 && vowels !== '' && random() < 0.2) return pick([...vowels], random);
      return pick([...consonants], random) + (random() < 0.6 ? pick([...signs], random) : '');
    }).join('');
  };

const hangul = (random: () => number): string =>
  Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
    const [initial, vowel] = [Math.floor(random() * 19), Math.floor(random() * 21)];
    const final = random() < 0.55 ? 0 : pick([1, 4, 8, 16, 17, 19, 20, 21], random);
    return String.fromCodePoint(0xac00 + (initial * 21 + vowel) * 28 + final);
  }).join('');

/** Some words begin with characters of Chinese. */
const kana = (random: () => number): string => {
  const syllables = random() < 0.5 ? range(0x3042, 0x308d) : range(0x30a2, 0x30ed);
  const word = ofLetters(syllables, { min: 2, max: 7 })(random);
  const han = ofLetters('日本人大学生電車新聞東京時間会社', { min: 1, max: 2 })(random);
  return random() < 0.3 ? han + word : word;
};

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('');

const noto = (name: string) => [`Noto Sans ${name}`, `Noto Serif ${name}`];

export const otherScripts: readonly OtherScript[] = [
  {
    name: 'Cyrillic',
    times: 5,
    letter: 'я',
    fonts: {
      learn:
        'DejaVu Sans,DejaVu Serif,DejaVu Sans Mono,Noto Sans,Noto Serif,FreeSerif,FreeSans,Open Sans,Liberation Sans,Liberation Serif,Inter,Andika,Charis SIL,EB Garamond,Comfortaa,Jura,Arimo,Tinos,Cousine,Nimbus Sans,P052'.split(
          ',',
        ),
      report: ['PT Sans', 'PT Serif', 'Roboto', 'Roboto Slab', 'Play', 'JetBrains Mono', 'Linux Libertine O'],
    },
    random: withCapitals(ofLetters('оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґђјљњћџў')),
    words:
      'Аптека работает круглосуточно Выход Вход запрещён Осторожно скользкий пол Молоко Хлеб Улица Пушкина дом Касса Цена рублей Скидка Открыто ежедневно Библиотека Вокзал Больница Школа Кафе Шоколадница Обережно діти Зачинено Київ вулиця Хрещатик Їжа Україна Центральний ринок Пошта Изход Внимание Български Улица Раковски Добродошли Београд Улица кнеза Михаила Излаз ГОСТИНИЦА ПРОДУКТЫ ЦВЕТЫ СТОЛОВАЯ ОБЪЯВЛЕНИЕ ПЕРЕХОД'.split(
        ' ',
      ),
  },
  {
    name: 'Greek',
    times: 5,
    letter: 'ω',
    fonts: {
      learn:
        'DejaVu Sans,DejaVu Serif,DejaVu Sans Mono,Noto Sans,Noto Serif,FreeSerif,FreeSans,Open Sans,Liberation Sans,Liberation Serif,Inter,Gentium Plus,Arimo,Tinos,Cousine,Nimbus Sans,P052,Jura'.split(
          ',',
        ),
      report: ['GFS Neohellenic', 'GFS Didot', 'Roboto', 'Roboto Slab', 'Play', 'Linux Libertine O'],
    },
    random: withCapitals(ofLetters('αοιετσνηυρπκμλςωόάίγέδήθχύφβξώζψ')),
    words:
      'Φαρμακείο ανοιχτό Έξοδος Είσοδος Προσοχή σκύλος Γάλα Ψωμί Οδός Αθηνάς Ταμείο Τιμή ευρώ Έκπτωση Βιβλιοθήκη Σταθμός Νοσοκομείο Σχολείο Καφενείο Θεσσαλονίκη Απαγορεύεται το κάπνισμα Κλειστό Κυριακή Δευτέρα Πλατεία Συντάγματος Ταχυδρομείο Ελλάδα ΠΡΟΣΟΧΗ ΛΕΩΦΟΡΟΣ ΞΕΝΟΔΟΧΕΙΟ ΦΟΥΡΝΟΣ ΔΗΜΑΡΧΕΙΟ Ελαιόλαδο Μέλι θυμαρίσιο'.split(
        ' ',
      ),
  },
  {
    name: 'Armenian',
    times: 3,
    letter: 'ա',
    fonts: {
      learn: [...noto('Armenian'), 'FreeSerif', 'FreeSans'],
      report: ['DejaVu Sans', 'DejaVu Serif'],
    },
    random: withCapitals(ofLetters('աներիությոկլսմտգպվբդհշչծզձղճջքփօֆխց')),
    words:
      'Դեղատուն Ելք Մուտք Զգուշացեք Կաթ Հաց Փողոց Երևան Դրամարկղ Գինը դրամ Զեղչ Գրադարան Կայարան Հիվանդանոց Դպրոց Սրճարան Հայաստան Փոստ Փակ է Բաց է ամեն օր Հանրապետության Հրապարակ ՈՒՇԱԴՐՈՒԹՅՈՒՆ ՀՅՈՒՐԱՆՈՑ'.split(
        ' ',
      ),
  },
  {
    name: 'Georgian',
    times: 2,
    letter: 'ა',
    fonts: {
      learn: [
        ...noto('Georgian'),
        'FreeSerif',
        'BPG Sans GPL&GNU',
        'BPG Serif GPL&GNU',
        'BPG Courier GPL&GNU',
      ],
      report: ['DejaVu Sans', 'DejaVu Serif', 'BPG Glaho GPL&GNU'],
    },
    random: ofLetters('აიერსოდნბლმვთუგკცხქზშპტჩჯძწჭყღფჰჟ'),
    words:
      'აფთიაქი გასასვლელი შესასვლელი ფრთხილად რძე პური ქუჩა თბილისი სალარო ფასი ლარი ფასდაკლება ბიბლიოთეკა სადგური საავადმყოფო სკოლა კაფე საქართველო ფოსტა დაკეტილია ღიაა ყოველდღე რუსთაველის გამზირი ყურადღება სასტუმრო'.split(
        ' ',
      ),
  },
  {
    name: 'Arabic',
    times: 2,
    letter: 'ع',
    fonts: {
      learn: [
        'Noto Naskh Arabic',
        'Noto Sans Arabic',
        'Noto Kufi Arabic',
        'KacstBook',
        'KacstOffice',
        'Nazli',
        'FreeSerif',
      ],
      report: ['Amiri', 'DejaVu Sans', 'KacstNaskh', 'Scheherazade'],
    },
    random: ofLetters('اليمونرتبةعدسفهكقحجشطصخذضزثئءغظىآأإپچژگ', { max: 7 }),
    words:
      'صيدلية مفتوح على مدار الساعة خروج دخول ممنوع انتبه حليب خبز شارع الملك فهد الصندوق السعر ريال تخفيضات مكتبة محطة مستشفى مدرسة مقهى القاهرة بيروت البريد مغلق يوم الجمعة مواقف السيارات ممنوع التدخين الطابق الأول داروخانه خروجی ورودی خیابان تهران قیمت تومان کتابخانه ایستگاه بیمارستان'.split(
        ' ',
      ),
  },
  {
    name: 'Hebrew',
    times: 2,
    letter: 'א',
    fonts: {
      learn: [...noto('Hebrew'), 'Miriam CLM', 'Nachlieli CLM', 'FreeSans', 'Arimo', 'Tinos', 'Simple CLM'],
      report: ['Frank Ruehl CLM', 'David CLM', 'DejaVu Sans', 'Aharoni CLM'],
    },
    random: ofLetters('יולהאמרתבשנכחדפקעטגסצזםןךףץ', { max: 7 }),
    words:
      'בית מרקחת פתוח כל היום יציאה כניסה זהירות חלב לחם רחוב הרצל קופה מחיר שקלים מבצע ספרייה תחנה מרכזית חולים ספר קפה ירושלים תל אביב דואר סגור בשבת חניה אסור לעשן קומה ראשונה שירותים'.split(
        ' ',
      ),
  },
  {
    name: 'Hangul',
    times: 2,
    letter: '한',
    fonts: {
      learn: ['Noto Sans CJK KR', 'Noto Serif CJK KR', 'Baekmuk Batang', 'Baekmuk Dotum', 'UnDotum'],
      report: ['NanumGothic', 'NanumMyeongjo', 'UnBatang', 'NanumSquareRound'],
    },
    random: hangul,
    words:
      '약국 출구 입구 조심하세요 우유 빵 거리 서울특별시 계산대 가격 만원 할인 도서관 기차역 병원 초등학교 커피 전문점 대한민국 우체국 금연구역 영업시간 오전 오후 주차금지 화장실 지하철 이용안내 어린이 보호구역 비상구'.split(
        ' ',
      ),
  },
  {
    name: 'Kana',
    times: 2,
    letter: 'あ',
    fonts: {
      learn: ['Noto Sans CJK JP', 'Noto Serif CJK JP', 'VL Gothic', 'TakaoGothic'],
      report: ['IPAGothic', 'IPAMincho', 'M PLUS 1'],
    },
    random: kana,
    words:
      'くすり ありがとうございます いらっしゃいませ コーヒー ラーメン トイレ エレベーター おにぎり ひらがな カタカナ さくら セール中 お手洗い ご利用ください タクシーのりば きっぷうりば パン屋 ビール おもちゃ レストラン あぶない とまれ バスのりば インターネット'.split(
        ' ',
      ),
  },
  {
    name: 'Thai',
    letter: 'ก',
    fonts: {
      learn: [...noto('Thai'), 'Arundina Serif', 'FreeSerif'],
      report: ['Noto Looped Thai', 'Arundina Sans'],
    },
    random: ofSyllables('กขคงจชซดตถทนบปผพฟมยรลวสหอ', 'าิีึืุู่้็', 'เแโใไ'),
    words:
      'ร้านขายยา ทางออก ทางเข้า ระวังพื้นลื่น นมสด ขนมปัง ถนนสุขุมวิท ราคา บาท ลดราคา ห้องสมุด สถานีรถไฟ โรงพยาบาล โรงเรียน กาแฟเย็น กรุงเทพมหานคร ไปรษณีย์ ปิด เปิดทุกวัน ห้ามสูบบุหรี่ ห้องน้ำ ที่จอดรถ'.split(
        ' ',
      ),
  },
  {
    name: 'Devanagari',
    letter: 'क',
    fonts: {
      learn: [...noto('Devanagari'), 'Lohit Devanagari', 'FreeSans', 'Chandas'],
      report: ['Gargi', 'Samyak Devanagari', 'Kalimati'],
    },
    random: ofSyllables('कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह', 'ािीुूेैोौंृ', 'अआइईउऊएऐओ'),
    words:
      'दवाई की दुकान निकास प्रवेश निषेध सावधान दूध रोटी सड़क महात्मा गांधी मार्ग मूल्य रुपये छूट पुस्तकालय रेलवे स्टेशन अस्पताल विद्यालय चाय नई दिल्ली डाकघर बंद खुला है धूम्रपान वर्जित शौचालय भारत सरकार मुंबई'.split(
        ' ',
      ),
  },
  {
    name: 'Bengali',
    letter: 'ক',
    fonts: { learn: [...noto('Bengali'), 'FreeSans', 'Mukti'], report: ['Lohit Bengali', 'Likhan'] },
    random: ofSyllables('কখগঘচছজঝটঠডঢণতথদধনপফবভমযরলশষসহ', 'ািীুূেৈোৌং', 'অআইঈউএও'),
    words:
      'ঔষধের দোকান প্রস্থান প্রবেশ নিষেধ সাবধান দুধ রুটি সড়ক মূল্য টাকা ছাড় গ্রন্থাগার রেল স্টেশন হাসপাতাল বিদ্যালয় চা ঢাকা কলকাতা ডাকঘর বন্ধ খোলা ধূমপান বাংলাদেশ'.split(
        ' ',
      ),
  },
  {
    name: 'Tamil',
    letter: 'க',
    fonts: { learn: [...noto('Tamil'), 'FreeSerif'], report: ['Lohit Tamil'] },
    random: ofSyllables('கஙசஞடணதநபமயரலவழளறன', 'ாிீுூெேைொோ்', 'அஆஇஈஉஎஏஒ'),
    words:
      'மருந்தகம் வெளியேறு நுழைவு கவனம் பால் ரொட்டி தெரு விலை ரூபாய் தள்ளுபடி நூலகம் நிலையம் மருத்துவமனை பள்ளி தேநீர் சென்னை அஞ்சல் மூடப்பட்டது திறந்திருக்கும் கழிப்பறை தமிழ்நாடு'.split(
        ' ',
      ),
  },
  {
    name: 'Telugu',
    letter: 'క',
    fonts: { learn: [...noto('Telugu'), 'Pothana2000'], report: ['Lohit Telugu', 'Vemana2000'] },
    random: ofSyllables('కఖగఘచజటడణతదనపబమయరలవశసహ', 'ాిీుూెేొో'),
    words:
      'మందుల దుకాణం నిష్క్రమణ ప్రవేశం జాగ్రత్త పాలు రొట్టె వీధి ధర రూపాయలు తగ్గింపు గ్రంథాలయం స్టేషన్ ఆసుపత్రి పాఠశాల హైదరాబాద్ తపాలా మూసివేయబడింది తెలంగాణ'.split(
        ' ',
      ),
  },
  {
    name: 'Kannada',
    letter: 'ಕ',
    fonts: { learn: [...noto('Kannada'), 'Gubbi'], report: ['Lohit Kannada'] },
    random: ofSyllables('ಕಖಗಘಚಜಟಡಣತದನಪಬಮಯರಲವಶಸಹ', 'ಾಿೀುೂೆೇೊೋ'),
    words:
      'ಔಷಧಿ ಅಂಗಡಿ ನಿರ್ಗಮನ ಪ್ರವೇಶ ಎಚ್ಚರಿಕೆ ಹಾಲು ರೊಟ್ಟಿ ಬೀದಿ ಬೆಲೆ ರೂಪಾಯಿ ರಿಯಾಯಿತಿ ಗ್ರಂಥಾಲಯ ನಿಲ್ದಾಣ ಆಸ್ಪತ್ರೆ ಶಾಲೆ ಬೆಂಗಳೂರು ಅಂಚೆ ಕಚೇರಿ ಕರ್ನಾಟಕ'.split(
        ' ',
      ),
  },
  {
    name: 'Gujarati',
    letter: 'ક',
    fonts: { learn: [...noto('Gujarati'), 'Rekha'], report: ['Lohit Gujarati', 'aakar'] },
    random: ofSyllables('કખગઘચછજટઠડતથદધનપફબભમયરલવશસહ', 'ાિીુૂેૈોૌં'),
    words:
      'દવાની દુકાન બહાર પ્રવેશ સાવધાન દૂધ રોટલી માર્ગ કિંમત રૂપિયા પુસ્તકાલય સ્ટેશન હોસ્પિટલ શાળા ચા અમદાવાદ ટપાલ બંધ ખુલ્લું ગુજરાત'.split(
        ' ',
      ),
  },
  {
    name: 'Khmer',
    times: 2,
    letter: 'ក',
    fonts: { learn: [...noto('Khmer'), 'Khmer OS Battambang'], report: ['Khmer OS', 'Khmer OS Siemreap'] },
    random: ofSyllables('កខគឃងចឆជឈតថទធនបផពភមយរលវសហអ', 'ាិីុូេៃោ'),
    words:
      'ឱសថស្ថាន ច្រកចេញ ច្រកចូល ប្រយ័ត្ន ទឹកដោះគោ នំប៉័ង ផ្លូវ តម្លៃ បញ្ចុះតម្លៃ បណ្ណាល័យ មន្ទីរពេទ្យ សាលារៀន កាហ្វេ ភ្នំពេញ កម្ពុជា បិទ បើក'.split(
        ' ',
      ),
  },
  {
    name: 'Ethiopic',
    times: 2,
    letter: 'ሀ',
    fonts: { learn: noto('Ethiopic'), report: ['Abyssinica SIL'] },
    random: ofLetters(range(0x1208, 0x1246), { max: 5 }),
    words:
      'መድኃኒት ቤት መውጫ መግቢያ ጥንቃቄ ወተት ዳቦ መንገድ ዋጋ ብር ቅናሽ ቤተ መጻሕፍት ጣቢያ ሆስፒታል ትምህርት ቡና አዲስ አበባ ፖስታ ዝግ ክፍት ኢትዮጵያ'.split(
        ' ',
      ),
  },
  unseen('Malayalam', 'ക', ['Lohit Malayalam', 'FreeSans'], 'കഖഗഘചജഡണതദനപബമയരലവശസഹ', 'ാിീുൂെേൊോ'),
  unseen('Gurmukhi', 'ਕ', ['Lohit Gurmukhi', 'Saab'], 'ਕਖਗਘਚਛਜਟਠਡਤਥਦਧਨਪਫਬਭਮਯਰਲਵਸਹ', 'ਾਿੀੁੂੇੈੋੌ'),
  unseen('Lao', 'ກ', ['Noto Looped Lao', 'Phetsarath OT'], 'ກຂຄງຈສຊຍດຕຖທນບປຜຝພຟມຢຣລວຫອຮ', 'າິີຶືຸູ່້'),
  unseen('Burmese', 'က', ['Padauk', 'Noto Sans Myanmar'], 'ကခဂငစဆဇညတထဒနပဖဗမယရလဝသဟအ', 'ာိီုူေဲံ့း'),
  unseen('Sinhala', 'ක', ['LKLUG', 'Noto Sans Sinhala'], 'කඛගඝචජටඩණතදනපබමයරලවශසහ', 'ාිීුූෙේොෝ'),
  unseen('Tibetan', 'ཀ', ['Jomolhari', 'Noto Serif Tibetan'], 'ཀཁགངཅཆཇཉཏཐདནཔཕབམཙཚཛཞཟཡརལཤསཧ', 'ིེོུ'),
];

/** A script that nothing is learnt from: how the net takes what it has never seen. */
function unseen(
  name: string,
  letter: string,
  fonts: readonly FontName[],
  consonants: string,
  signs: string,
): OtherScript {
  const random = ofSyllables(consonants, signs);
  return { name: `${name}, not trained on`, letter, fonts: { learn: [], report: fonts }, random, words: [] };
}

/** A line of words in another script, some with a number or a sign. */
export function otherLine(
  script: OtherScript,
  set: FontSet,
  maxCharacters: number,
  random: () => number,
): string {
  const words: string[] = [];
  let length = 0;
  do {
    // Words of even index are learnt from, those of odd index report.
    const known = script.words.filter((_, at) => at % 2 === (set === 'report' ? 1 : 0));
    const isKnown = known.length > 0 && (set === 'report' || random() < 0.5);
    const number = words.length > 0 && random() < 0.08 ? String(Math.floor(random() * 3000)) : '';
    const sign = random() < 0.15 ? pick([',', '.', ':', '!', '?'], random) : '';
    const word = number || `${isKnown ? pick(known, random) : script.random(random)}${sign}`;
    words.push(word);
    length += word.length + 1;
  } while (length < maxCharacters);
  return words.join(' ');
}

/** Throws where a font is missing or has no letters of its script. */
export async function checkScriptFonts(): Promise<void> {
  const missing: string[] = [];
  for (const { letter, fonts } of otherScripts) {
    const code = letter.codePointAt(0)?.toString(16) ?? '';
    const { stdout } = await promisify(execFile)('fc-list', [`:charset=${code}`, '--format', '%{family}\n']);
    const here = new Set(stdout.split('\n').flatMap((line) => line.split(',')));
    missing.push(...[...fonts.learn, ...fonts.report].filter((family) => !here.has(family)));
  }
  if (missing.length === 0) return;
  throw new Error(`fonts are missing (${missing.join(', ')}); on Debian: apt-get install ${packages}`);
}

/** Debian's packages of the fonts above, besides those of `letters/fonts.ts`. */
const packages =
  'culmus fonts-amiri fonts-arundina fonts-baekmuk fonts-beng-extra fonts-bpg-georgian fonts-deva-extra ' +
  'fonts-farsiweb fonts-freefont-otf fonts-gargi fonts-gfs-didot fonts-gfs-neohellenic fonts-gubbi fonts-gujr-extra ' +
  'fonts-guru-extra fonts-ipafont-gothic fonts-ipafont-mincho fonts-kacst fonts-khmeros fonts-khmeros-core ' +
  'fonts-lklug-sinhala fonts-lohit-beng-bengali fonts-lohit-deva fonts-lohit-gujr fonts-lohit-guru fonts-lohit-knda ' +
  'fonts-lohit-mlym fonts-lohit-taml fonts-lohit-telu fonts-mplus fonts-nanum fonts-paratype fonts-phetsarath ' +
  'fonts-samyak-deva fonts-sil-abyssinica fonts-sil-padauk fonts-sil-scheherazade fonts-takao-gothic fonts-telu-extra ' +
  'fonts-unfonts-core fonts-vlgothic fonts-dzongkha';
