"""Three letters in a row that words have which tokenizers know whole; a word with others is seldom one of them. Only a table."""

from __future__ import annotations

# The first two letters, then every third that is met after them in at least two such words.
_TABLE = """
ababeilosu acacehikqrty adacdegijlmosuvy afeft agaegimnors aidglmnrst ajo akeis alacefgiklmoprstuy amabeimops anacdegiknostuy
apaehipst arabcdegiklmnoprsty ascehiknopstuy atacefhiorstu audglnst avaeioy awaeins axei aybeilms azy babcdlnrst bbl bcl
beacdfghlnrsty bidglnt bje blaeiouy bmi boadlorstuwx braeio bsceiot btalr bubcdfgilnrst bvi byt cabcdlmnprstu ccaeou
ceabdefhilmnprst chaeimnoru ciadeflmnoprst ckaegilnsuwy claeiou cocdghlmnoprsuv cqu craeioy ctaeilorsu cueilmprst cyc
dablmnprsty dca ddeilor deabcdefglmnpqrstvx dge diacdefgmnorstuv djau dleiy dmi dne doceimnoprtuw dpo draeio dsh dth duaclmprs
dvaei dwi dyn eacdgklmnprstuv ebaosuy ecaehiklorstuy eddegilsuy eedklmnprstz efaefilorstu egaeilmoru ehao eiglnrtv eje
elacdefilopstvy emabeiopsuy enacdefghilorstuv eofgmnpru epaeilorst equ erabcdefghilmnoprstvwy escehiknopstuy etacehiorstuwy
euemrst evaeio ewaehilors exacehipt eyew eze facdilmnstuv feacelnrst ffeilos ficdefglnrtx flaeiouy foclnrsu fraeiou fse ftei
fulnrsz fyi gailmnrt gedlmnorstx ggeilr ghelot gicenostv glaeioy gmae gnaeimos goailnortuv graeio gth guaeilmor
habcdiklnprstuv hbo heacdeilmnorstu hibcdefglnprstv hliy hmae hni hodeilmnoprstuw hraeio htefinst hufmnst hyp iabglnst ibeilru
icaehiklostu idadeginstu iecdflnrstvw ifaefity igaeghimnru ike iladeilostuy imaeimpsu inabcdefghijklnopstuvy iodlnrsu
ipaeilpstu iqu iracdeimnorsty isacefhikmopstu itacehilnostuy ium ivaei ixeit izaeio jacv jec joiru jso jumns kagr kbo kdo
kedelnrstwy kfl kgr kielnpt kliy kno kup kwa labcgimnprstuvwxy lba lcou ldeinrs leacdefglmnrstvx lfi lgo liabcdefgkmnopstvz
lkis llabeiosuy lmo lne loabcdginoprstuwy lpeh lse ltaehisy luacdegmnrst lvei lygistz macgijklnprstx mbeilor meacdehlmnorstw
micdglmnrstxz mmaeiou mocdimnorstuv mpaeilorstu mset mulmnst mys nabcdgiklmnprtv nbo ncaehilortuy ndaeiloprsuy
neacdefgilnorstuvwx nfaeiloru ngeilostu nhae nicefgmnopqstvz nje nkeis nlioy nme nnaeio nodilmnrstuwy npu nqu nrei
nsaefhilmoptuw ntaehilorsu nuaeilmost nvaeio nymw oacdlnrt obaejlostv ocaceikotu odaeiosuy oes offit ogaeginorsuy ohein
oicdnst oje okeis olabdeiklosuvy omabeimop onacdefgilmnostvy oodklmnprst opaehimoprstuy orabcdegiklmnoprstuwy oseistu
otaehiosty oubcdglnprst ovaei owaeilns oxiy oyaei pabcdgilnrstuwy pco pda peacdelnorst pgr phaeiorsy picdelnprtx plaeiouy pme
poceilnoprstw ppaeilory praeiou pseh ptaeiosu publprst pyt quaeio rabcdfgilmnprstvwy rbio rcaehilu rdaeils
reabcdefghijlmnopqrstuvw rfaelo rgaeiosu riabcdefglmnopstvz rkaefis rladioy rmaeis rnaeis roabcdfghjklmnoprstuvwxy rpahlor
rraeiouy rsacehiot rtacehilnsuy rucilmnpst rvaei rwar ryips sabcfgilmnprtvy scaehiloru seacdeglmnpqrstuv sfeiou shaeiloru
siabcdefglmnorstvxz skeis slaeioy smaeio snai socflmnopru spaeilor sqlu ssaefiouw stadeilnorsuy suabcdefgilmprs swaeio symns
tabcgiklmnprsty tchou tdio teacdeglmnprswx tfio thaeilmnorsuy tiabcefglmnoprstvz tleiy tnae tocdgklmnoprtuw tplu traeiouy tset
ttaeilopry tuabdfimnprst tweio tylp uaglnrst ubbcejlmst uccehikt uddegilo uedenrsu uff ugghi uicdelnrstv uladeflnot
umabeimnpsu unacdefghiklnprstuw uotu updegilpst urabcdefilnoprstv usaehilpstu utadehiloprstu uzz vabcilnrst vecdlmnrs
viacdeglnorstv vociklrtu vul waiklnrsty weabdeilrs whaeio wicdlnst wlei wnels wonoru wraio wse xacm xcehl xecdlmrs xhai
xibmnst xpaeilor xtersu yan ybo ycl yeadrs ygo yien yle ymbeo ynact yonu ypeit ysceit ytehi ywho yze zart zednrs zinp zon
"""

COMMON_TRIPLES = frozenset(row[:2] + third for row in _TABLE.split() for third in row[2:])
