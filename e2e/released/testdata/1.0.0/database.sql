COPY account (id, organization_id, environment, name, currency, time_zone, created_at) FROM stdin;
01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	Fictional Shops	USD	America/New_York	2026-11-24 04:56:45.839+00
\.

COPY account_policy (account_id, rule_set_id, pricing_model_id) FROM stdin;
01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e206-7063-9f98-baea4a97e120	01a20be9-df1d-7b1f-a9a3-fa20136d54c2
\.

COPY business (id, account_id, legal_name, operating_name, established_date, industry_category_code, website, phone_number, email, address, no_persons_attested, version, erased_at, created_at, updated_at) FROM stdin;
01a20be9-e20e-78da-acea-0bd1eea45aac	01a20be9-de0f-77fc-947f-7454c9fd86d1	Invented Orchards Ltd	Orchards	2001-02-28	{0742,5967}	https://orchards.example	+1 555 0100	office@orchards.example	{"city": "Portland", "line1": "1 Nowhere Road", "line2": "Unit 2", "region": "OR", "country": "US", "postal_code": "97205"}	f	2	\N	2026-11-24 04:56:46.858+00	2026-11-24 04:56:46.858+00
01a20be9-e219-792e-b1b6-eb2ba4960430	01a20be9-de0f-77fc-947f-7454c9fd86d1	Bare Ltd	\N	\N	{}	\N	\N	\N	\N	f	1	\N	2026-11-24 04:56:46.873+00	2026-11-24 04:56:46.873+00
01a20be9-e21c-73b9-914d-9b30659f1ec1	01a20be9-de0f-77fc-947f-7454c9fd86d1	Nobody Ltd	\N	\N	{}	\N	\N	\N	\N	t	1	\N	2026-11-24 04:56:46.876+00	2026-11-24 04:56:46.876+00
01a20be9-e3cb-7560-8928-1b5a694cd918	01a20be9-de0f-77fc-947f-7454c9fd86d1	(erased)	\N	\N	{}	\N	\N	\N	\N	f	2	2026-11-24 04:56:47.356+00	2026-11-24 04:56:47.306+00	2026-11-24 04:56:47.356+00
\.

COPY credential (api_key, organization_id, environment, name, policy, policy_forced, permissions, secret_sealed, token_sha256, created_at, expires_at, last_used_at, revoked_at) FROM stdin;
sb_352xkRAmBjNcAevZ9UF75	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	back office	strict	f	{read,write,rules,keys,webhooks}	\\x016f445a5cefc05b91cc54ef4412121329664c713f50eeab849fd676d42fd76018776adccbe2f5bd9ba9fb92067d83610c479e2769613c8906a6fc41c8eb60296d8eb27b31d5500c2c7af1b37e39	\\xf0ede33bcbba443294e2e0d39e9e8fb161d89d16963fc86b909979d0c4946862	2026-11-24 04:56:45.877+00	\N	2026-11-24 04:56:46.539+00	\N
sb_352xkREy4j8mSwN54I9Xj	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	reporting	strict	f	{read}	\\x016f445a5cd51c00b664180828606a35aa958b6c025f938222501761f78285ad4498744af92d19bb53b67d2f6978596da2a7ab7f86fa7e4afd56f9c66c9bfd50d50c14a1beba2386e7f23f94eb9b	\\x8b53baca4cacff1aa7e14dc617768ac72f14d1aa19f66233bd51a6d3d834b9a0	2026-11-24 04:56:45.92+00	2200-01-01 00:00:00+00	2026-11-24 04:56:51.756+00	\N
sb_352xkRIZZAvTcsNGfi56w	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	trials	minimal	f	{read,write,rules,keys,webhooks}	\\x016f445a5cb9ff783a84dcd1d83fa39b3888679343daea3e7fca2c400105c6026a9a278005c50ce545c04da624a29d6aedb24c8c7200876b01f3a66ad469391e368f237650d2e4fdc2d8fbded3b3	\\x6daf46597e5bea7e023edc406e41436354006579056d882ed5a2ddb8971e6f04	2026-11-24 04:56:45.957+00	\N	2026-11-24 04:56:51.759+00	\N
sb_352xkRMlU8wjLqpODvGFs	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	former	strict	f	{read,write,rules,keys,webhooks}	\\x016f445a5c7158baddf91c898c618a92b4f4d96a2f4d512b58a84e05942f56d8b30f815c17a49d52fc4eadff445d1463199fae6c688cefa231e8fbf1948d6222f139707b9f4c53222ce1ee6bc6d4	\\xb2f2eae9e210db6b6b43236c77e120ad9849a340f6000eeb0030d50c3e6fe557	2026-11-24 04:56:46+00	\N	\N	2026-11-24 04:56:46.054+00
\.

COPY event_epoch (number, cluster, tag) FROM stdin;
1	7711597125465876097/00000001	-7504833840963941264
\.

COPY idempotency (organization_id, environment, operation, key, body_sha256, outcome, created_at) FROM stdin;
01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	business.create	orchards	\\xcf4297f0b83e799765ea60bae876b520af6ae2e4961a6a97f92d0c2388f9f8a6	{"data": {"person_ids": ["p_352xkSinKkHoj8JyIxZ14", "p_352xkSinKmOdSxRRnjYz6"], "business_id": "b_352xkSinJfKB8sE0JILwi", "sales_info_id": "bsi_352xkSinKnonCgPKDvJNU"}}	2026-11-24 04:56:46.858+00
01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	workflow.pricing.calculate	price	\\xbf1ae142fad898efc06ffe32609e25562c0ffdeaff5e03e8c3bc667f6c4cea81	{"data": {"evaluation_score": 600.375}}	2026-11-24 04:56:46.94+00
01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	workflow.requiredDocument.calculate	calculate	\\xbf1ae142fad898efc06ffe32609e25562c0ffdeaff5e03e8c3bc667f6c4cea81	{"data": {"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkT09EGFw2lJ7PIWvH"}, {"status": "COMPLETED", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkT09EQE4kVrZUP8po"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352xkT09ETlQBkV8SzQwY"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352xkT09EWFddxmk7rDDt"}, {"status": "PENDING", "entity_id": "w_352xkSkXzfyACZ2AOfvJr", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352xkT09EXypAqnZrPaTT"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352xkT09EeOKoPl4yvMVG"}, {"status": "PENDING", "entity_id": "p_352xkSinKkHoj8JyIxZ14", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EgVuQYT2CvAlh"}], "removed": [{"status": "INACTIVE", "entity_id": "p_352xkSinKmOdSxRRnjYz6", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EixnKKdqzbP8Q"}]}}	2026-11-24 04:56:47.163+00
01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	workflow.requiredDocument.calculate	ended	\\xd1e423f367439f6deb375568dfabf48b4afa499cbb40bf36972e58439f94cbb5	{"refusal": {"code": "SYSTEM_RULE_VIOLATION", "message": "The workflow has ended and accepts no further changes.", "sub_code": "WORKFLOW_ENDED", "entity_id": "w_352xkTEZUKutk3zcmHKTu", "entity_type": "Workflow"}}	2026-11-24 04:56:47.295+00
01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	webhook.key.create	key	\\xd641892e697fe61ba9494888dd28423e7a861e6ab2ae0c6a0b6ba75ea7de2584	{"data": {"key_id": "whk_20261124_02", "status": "INACTIVE", "created_at": "2026-11-24T04:56:50.628Z"}}	2026-11-24 04:56:50.632+00
01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	webhook.key.activate	activate	\\x2d62e5a22e610717c5efdc648aa160824e285928c817a8dfcdd7557ba9cb0310	{"data": {"key_id": "whk_20261124_02", "status": "ACTIVE", "activated_at": "2026-11-24T04:56:50.648Z"}}	2026-11-24 04:56:50.648+00
\.

COPY nonce (api_key, nonce, expires_at) FROM stdin;
sb_352xkRAmBjNcAevZ9UF75	253GBVJNZHBLNHXNK6GFDAANQT	2026-11-24 05:11:47.257919+00
sb_352xkRAmBjNcAevZ9UF75	27R3W2EEX57EXSWCMV6MPCDVHA	2026-11-24 05:11:51.936752+00
sb_352xkRAmBjNcAevZ9UF75	2EMHHSUX5LSBWFKFMKZJIDHVJE	2026-11-24 05:11:51.43207+00
sb_352xkRAmBjNcAevZ9UF75	2HNQRLEEDFDPEUZGD3JV5MKOWA	2026-11-24 05:11:50.637274+00
sb_352xkRAmBjNcAevZ9UF75	2KHVBEYQGVNRNPGWRUOBMGDSS4	2026-11-24 05:11:52.064543+00
sb_352xkRAmBjNcAevZ9UF75	2RWVZ2MY4RLRJ3542TTDMUWYCL	2026-11-24 05:11:52.086315+00
sb_352xkRAmBjNcAevZ9UF75	2UNPMQOAE7GVU3TFGD2EHHTQLA	2026-11-24 05:11:47.149137+00
sb_352xkRAmBjNcAevZ9UF75	2XFQANKEXNFTR4SWAGBMRQGSSJ	2026-11-24 05:11:51.939167+00
sb_352xkRAmBjNcAevZ9UF75	2YJPZAEKECAHZ6XLNGCX5ZVGY5	2026-11-24 05:11:47.118997+00
sb_352xkRAmBjNcAevZ9UF75	3WRXLE4GSCR2PFPKZ7LCXSNHOV	2026-11-24 05:11:52.058077+00
sb_352xkRAmBjNcAevZ9UF75	3YMY2YRUQER53ISNXRQ4C7XRTJ	2026-11-24 05:11:50.38111+00
sb_352xkRAmBjNcAevZ9UF75	46JU4ARDF6I3G23QWJBR2TOHTN	2026-11-24 05:11:50.41093+00
sb_352xkRAmBjNcAevZ9UF75	4BYRA4AK7SIEAL7ZP7SURHYH5U	2026-11-24 05:11:51.998081+00
sb_352xkRAmBjNcAevZ9UF75	4GR4DHQKVCBEIUAKGFCRT6IKPI	2026-11-24 05:11:50.546751+00
sb_352xkRAmBjNcAevZ9UF75	4XJEKHQYTXAFLXHUOJAMVSI36P	2026-11-24 05:11:51.926442+00
sb_352xkRAmBjNcAevZ9UF75	533IAU5ERCS4HJECZQMQLQWCZP	2026-11-24 05:11:50.399797+00
sb_352xkRAmBjNcAevZ9UF75	53P654FK3I2NTUWUDY7RFQG4HK	2026-11-24 05:11:51.862315+00
sb_352xkRAmBjNcAevZ9UF75	57KVZ3GEMA46Y7PEVIODGJ2BKR	2026-11-24 05:11:50.881679+00
sb_352xkRAmBjNcAevZ9UF75	5AVGWK4DHZBNO2VQLP6TBSGDJX	2026-11-24 05:11:50.395545+00
sb_352xkRAmBjNcAevZ9UF75	5DVGS4FQNKLVUCZL3HKS5I7T6P	2026-11-24 05:11:51.96072+00
sb_352xkRAmBjNcAevZ9UF75	5I5E7EK42EIHO6T77V54CZQQLR	2026-11-24 05:11:51.382465+00
sb_352xkRAmBjNcAevZ9UF75	5L75ZPFXNAKGP3B2PE3WHMNPPK	2026-11-24 05:11:51.708008+00
sb_352xkRAmBjNcAevZ9UF75	5SX67BXMRH3KEDS6O4X7V5G4AP	2026-11-24 05:11:51.820283+00
sb_352xkRAmBjNcAevZ9UF75	5VCQDEJNYO4DDRSJTRXDUAD6RO	2026-11-24 05:11:52.059343+00
sb_352xkRAmBjNcAevZ9UF75	6BADDTGEW65CF7RILGOUW5VIPI	2026-11-24 05:11:51.729234+00
sb_352xkRAmBjNcAevZ9UF75	6CCJH43ZKEUL3JE2V4PLZFKMXT	2026-11-24 05:11:47.238418+00
sb_352xkRAmBjNcAevZ9UF75	6O2LVXXE5SY4VI274TQT2ZA24P	2026-11-24 05:11:51.965519+00
sb_352xkRAmBjNcAevZ9UF75	6T5FHOEOGNK3YF4GLJZANG34XY	2026-11-24 05:11:52.01112+00
sb_352xkRAmBjNcAevZ9UF75	72UGUWTIA2XTOY2RWQ5DO5R5BO	2026-11-24 05:11:51.770691+00
sb_352xkRAmBjNcAevZ9UF75	73D3FSA6VQGMO4FVBVIWW3ARFU	2026-11-24 05:11:46.877391+00
sb_352xkRAmBjNcAevZ9UF75	7ABM5VVCIZZSJQ3FFP2RZMUXO6	2026-11-24 05:11:51.84475+00
sb_352xkRAmBjNcAevZ9UF75	7J62C3HUOZDHZSNV3RO2NMMO6B	2026-11-24 05:11:50.830974+00
sb_352xkRAmBjNcAevZ9UF75	7SXYJSEWXPI7RXSJFPV6UTN4RZ	2026-11-24 05:11:51.767994+00
sb_352xkRAmBjNcAevZ9UF75	7TRPXZSHOS73DSNTUPUA75C5ZD	2026-11-24 05:11:46.628583+00
sb_352xkRAmBjNcAevZ9UF75	7ZBKSUGBCKELE2AYIBSRLAAS6P	2026-11-24 05:11:52.078404+00
sb_352xkRAmBjNcAevZ9UF75	7ZUUIEY5UNUQIOUU7IYXCWYKRP	2026-11-24 05:11:46.88591+00
sb_352xkRAmBjNcAevZ9UF75	A5PYSOVIYIMIHPIJYXKOUWXBFU	2026-11-24 05:11:46.857214+00
sb_352xkRAmBjNcAevZ9UF75	ABMARAOXEO5DWPPI7ZCUBQEX5P	2026-11-24 05:11:50.981869+00
sb_352xkRAmBjNcAevZ9UF75	AGXKGCC76HK62XKP36QCDQ6OQV	2026-11-24 05:11:50.674144+00
sb_352xkRAmBjNcAevZ9UF75	AHKSNUI2GY4B3EBV6EC5Z2KQWV	2026-11-24 05:11:47.124603+00
sb_352xkRAmBjNcAevZ9UF75	AU4ZBPJI3356GINOJFMCZK7KCC	2026-11-24 05:11:51.773667+00
sb_352xkRAmBjNcAevZ9UF75	AV2EHEWYJSXCQ4ZAPL4NHVRXUW	2026-11-24 05:11:47.060011+00
sb_352xkRAmBjNcAevZ9UF75	AVJUUBRWLSHAXQEHAN7OLH6Y43	2026-11-24 05:11:52.076273+00
sb_352xkRAmBjNcAevZ9UF75	BD5NMMWOXALGP7323EIXO7QFB4	2026-11-24 05:11:50.658672+00
sb_352xkRAmBjNcAevZ9UF75	BS6MXNEFTWFQHXAQZK2QVBKFFU	2026-11-24 05:11:51.749276+00
sb_352xkRAmBjNcAevZ9UF75	BYPHQJNDQ4EA6YJ73WTW3IDOES	2026-11-24 05:11:52.004814+00
sb_352xkRAmBjNcAevZ9UF75	CETFNZSTMQGKDLBSQYAAEA4N4U	2026-11-24 05:11:51.822998+00
sb_352xkRAmBjNcAevZ9UF75	CI4FIHVJYEJGEDZ2MMDW7WW6KQ	2026-11-24 05:11:51.753607+00
sb_352xkRAmBjNcAevZ9UF75	CJBQZUMUKPRXIRHW7D6BRRB4DC	2026-11-24 05:11:51.868795+00
sb_352xkRAmBjNcAevZ9UF75	CRJXBOV6GNAVSAMIC5NSJYBPOY	2026-11-24 05:11:50.731855+00
sb_352xkRAmBjNcAevZ9UF75	CS4L7Q2EZH7BLU2QMR2XHRBJVB	2026-11-24 05:11:50.388428+00
sb_352xkRAmBjNcAevZ9UF75	CXBB4WTAHRRCRABQ4WOJUT7TUE	2026-11-24 05:11:50.60516+00
sb_352xkRAmBjNcAevZ9UF75	D22BQOA2RNDZ2USD63B4FQHISI	2026-11-24 05:11:51.810708+00
sb_352xkRAmBjNcAevZ9UF75	D2IRRSYBIESO7CH26DZCDFQF74	2026-11-24 05:11:51.825536+00
sb_352xkRAmBjNcAevZ9UF75	D4WXGYNGBUZQBLO7V3DFSTGFIT	2026-11-24 05:11:47.110602+00
sb_352xkRAmBjNcAevZ9UF75	DCHT4DAIXTPW5NNFFTVQFAB2KK	2026-11-24 05:11:51.979376+00
sb_352xkRAmBjNcAevZ9UF75	DEPDJ4PE7O7ODNFNJKOHPRXBRO	2026-11-24 05:11:47.186133+00
sb_352xkRAmBjNcAevZ9UF75	DICEIUVLQPYCS7F2ZUY2L4WXLT	2026-11-24 05:11:52.087983+00
sb_352xkRAmBjNcAevZ9UF75	DMODQHWNL56XYQMXTNHCBYSWZC	2026-11-24 05:11:46.833042+00
sb_352xkRAmBjNcAevZ9UF75	E5CPTS2RMPJT42U5PFUR7D2BBK	2026-11-24 05:11:51.832493+00
sb_352xkRAmBjNcAevZ9UF75	E5UXI4WR5KIJBOFKQ3YDZLIPXS	2026-11-24 05:11:51.991685+00
sb_352xkRAmBjNcAevZ9UF75	ECJCHVDNCJDWSERRCB3G2AA76F	2026-11-24 05:11:51.701488+00
sb_352xkRAmBjNcAevZ9UF75	EEBHMR2LDIYRPBD3IBGXCFURGJ	2026-11-24 05:11:52.060758+00
sb_352xkRAmBjNcAevZ9UF75	EFYF7VXHFD4HQ2YO4KEZUCY2OQ	2026-11-24 05:11:52.074684+00
sb_352xkRAmBjNcAevZ9UF75	EOGH4FF3J7CM3I7XS4VEAHMPUK	2026-11-24 05:11:51.92388+00
sb_352xkRAmBjNcAevZ9UF75	EQYBKCM5GZVUZQORPRNCXJOJIA	2026-11-24 05:11:51.874861+00
sb_352xkRAmBjNcAevZ9UF75	EU2MQZZ5GGFG62KPZQ2KKIQUAX	2026-11-24 05:11:46.614464+00
sb_352xkRAmBjNcAevZ9UF75	F76O5S7G4KZM2VXTYBOIQE5MY4	2026-11-24 05:11:52.000316+00
sb_352xkRAmBjNcAevZ9UF75	F76WBIDIOWZVNEL63Q674TAXJL	2026-11-24 05:11:51.816467+00
sb_352xkRAmBjNcAevZ9UF75	FEWWZFH4PEZZABB4WXYQLRMBCW	2026-11-24 05:11:51.982522+00
sb_352xkRAmBjNcAevZ9UF75	FI4NHHQQ7QMPZNB2FFF7JVFCBX	2026-11-24 05:11:52.030295+00
sb_352xkRAmBjNcAevZ9UF75	FKI5QK5YKHOOILXILO3BOXBXEZ	2026-11-24 05:11:47.082673+00
sb_352xkRAmBjNcAevZ9UF75	FM247IUCNXLO2VZOTPDXTMDCOX	2026-11-24 05:11:46.634543+00
sb_352xkRAmBjNcAevZ9UF75	G2WJZ5LBZVNXHV2WYUENB2KN3B	2026-11-24 05:11:46.648786+00
sb_352xkRAmBjNcAevZ9UF75	G7R7DKSJHBR4HLUJOXTBZXEHZS	2026-11-24 05:11:52.055397+00
sb_352xkRAmBjNcAevZ9UF75	GI4PCGJZP4UUEUKXO3AIRH5BJP	2026-11-24 05:11:52.082145+00
sb_352xkRAmBjNcAevZ9UF75	GLQUHTVBQZSZQASH5QGWTNTVDQ	2026-11-24 05:11:52.090261+00
sb_352xkRAmBjNcAevZ9UF75	GNJQR7RMAY2ZLL6K3SCPM3NRYT	2026-11-24 05:11:52.033448+00
sb_352xkRAmBjNcAevZ9UF75	H3IH3CVG6SSRYSH3AF4QB2LXG6	2026-11-24 05:11:51.081586+00
sb_352xkRAmBjNcAevZ9UF75	HDGZXRUN5FGBAFPUVKGURFSP2N	2026-11-24 05:11:52.05312+00
sb_352xkRAmBjNcAevZ9UF75	HPVVUSKCCLFVM6636UNCN7SPL5	2026-11-24 05:11:52.009445+00
sb_352xkRAmBjNcAevZ9UF75	HXRYOESUKLTTHDIJVMPGSCK23H	2026-11-24 05:11:52.056814+00
sb_352xkRAmBjNcAevZ9UF75	I2A2CLH5BGWTDLKIGMGPJHXG65	2026-11-24 05:11:50.622485+00
sb_352xkRAmBjNcAevZ9UF75	I6PY2TFCYDMEMKHWJC643MHC6P	2026-11-24 05:11:51.801924+00
sb_352xkRAmBjNcAevZ9UF75	IAJBUALQYXHY5QTJHOYEISPFZV	2026-11-24 05:11:51.745679+00
sb_352xkRAmBjNcAevZ9UF75	IKMAQBEAAR6F3GZQGQBQSXGXMO	2026-11-24 05:11:52.012761+00
sb_352xkRAmBjNcAevZ9UF75	IPDASU5RVFL5ZAE4S74XZCXR4V	2026-11-24 05:11:51.969982+00
sb_352xkRAmBjNcAevZ9UF75	IWRPGLB6NOSOPIK2IKMJU35SRB	2026-11-24 05:11:52.024062+00
sb_352xkRAmBjNcAevZ9UF75	IXYJHT2SATVUQ6BDLZBD5JUWOF	2026-11-24 05:11:51.837478+00
sb_352xkRAmBjNcAevZ9UF75	J4E3WW64IGFO6EMKDWIVP5YVV4	2026-11-24 05:11:51.231552+00
sb_352xkRAmBjNcAevZ9UF75	J7QNCNVL3VNJ75TLZUI63PFXLD	2026-11-24 05:11:51.955659+00
sb_352xkRAmBjNcAevZ9UF75	JEFQLBCDPLGMQJFX5NN5IRT5H6	2026-11-24 05:11:52.04689+00
sb_352xkRAmBjNcAevZ9UF75	JFRIXVW4LYCNXOQ2N5NWBPBHA2	2026-11-24 05:11:51.794954+00
sb_352xkRAmBjNcAevZ9UF75	JHTN3WHN5QH4B3UIGUJH6VUQJP	2026-11-24 05:11:52.083842+00
sb_352xkRAmBjNcAevZ9UF75	JKVYR3B2QAIMX5FXPCYJ2ASOMA	2026-11-24 05:11:50.610612+00
sb_352xkRAmBjNcAevZ9UF75	JTCZH3VAR3OYD2Q5RRONW3D5YH	2026-11-24 05:11:51.330958+00
sb_352xkRAmBjNcAevZ9UF75	JUVI3EPCBTQERYEF2Y57HPQY62	2026-11-24 05:11:52.062033+00
sb_352xkRAmBjNcAevZ9UF75	JXPIK35WSVRTDHHEZLG347TWOM	2026-11-24 05:11:51.75201+00
sb_352xkRAmBjNcAevZ9UF75	K6RLDKVGJDIU53T7IC5BFJSFSS	2026-11-24 05:11:51.985819+00
sb_352xkRAmBjNcAevZ9UF75	K7ZKNCMBI3NKI2RWQMAVIJLEID	2026-11-24 05:11:51.739499+00
sb_352xkRAmBjNcAevZ9UF75	KG3LCV73AGY72265W43V7CCNLE	2026-11-24 05:11:51.947803+00
sb_352xkRAmBjNcAevZ9UF75	KHZDPFN7KVDL6OMIFDVSYPM373	2026-11-24 05:11:50.384848+00
sb_352xkRAmBjNcAevZ9UF75	KMSMXTU2OYJNHPTOXIH6Q2Z5LP	2026-11-24 05:11:47.171449+00
sb_352xkRAmBjNcAevZ9UF75	L5OW2PYMNTG54NZ4UPD43426DS	2026-11-24 05:11:50.374628+00
sb_352xkRAmBjNcAevZ9UF75	LCD3ZEAZPOWYWKFEIVSHWHLWVO	2026-11-24 05:11:51.789856+00
sb_352xkRAmBjNcAevZ9UF75	LIOUWBFKSO35C4MZ3UG5UFN47B	2026-11-24 05:11:50.613594+00
sb_352xkRAmBjNcAevZ9UF75	LMQFYI2YELUHM2AQ7SH7Y6UBGQ	2026-11-24 05:11:52.018648+00
sb_352xkRAmBjNcAevZ9UF75	LOUIZGTUUX36YWIHJQOZSSOL6B	2026-11-24 05:11:46.875032+00
sb_352xkRAmBjNcAevZ9UF75	LSNFOHTODOEX67HEGFCFQQ7MYD	2026-11-24 05:11:51.783+00
sb_352xkRAmBjNcAevZ9UF75	M77OJF7YHAJLLO2YGYDNYDSZWW	2026-11-24 05:11:51.747467+00
sb_352xkRAmBjNcAevZ9UF75	MBSUH7YE3OLVMW6FKOLM6OTHLF	2026-11-24 05:11:51.828835+00
sb_352xkRAmBjNcAevZ9UF75	MFEGIEKE3KO74IV72GKKNQVRQ2	2026-11-24 05:11:51.86539+00
sb_352xkRAmBjNcAevZ9UF75	MI3R3V5AAHUB35FISJ5CDVBEPI	2026-11-24 05:11:51.879748+00
sb_352xkRAmBjNcAevZ9UF75	MMQYG64UMHGFTPJJGOUO2XZI6M	2026-11-24 05:11:51.841361+00
sb_352xkRAmBjNcAevZ9UF75	MNXD7TAJYK7M6PPOK4KHS2S7ON	2026-11-24 05:11:51.765895+00
sb_352xkRAmBjNcAevZ9UF75	MPSAU6OA3YQTFP7FAFDSQM4JVX	2026-11-24 05:11:50.538715+00
sb_352xkRAmBjNcAevZ9UF75	MU26VCPWWI3N5CY26FW2ICM7Z3	2026-11-24 05:11:50.47467+00
sb_352xkRAmBjNcAevZ9UF75	MWZVHFA4SQGYMJQZ323V5EZ7CC	2026-11-24 05:11:51.481048+00
sb_352xkRAmBjNcAevZ9UF75	MYB52SGMOFRH336673IWOQQ2RX	2026-11-24 05:11:50.680671+00
sb_352xkRAmBjNcAevZ9UF75	N2R6YJKFZV54RKGMYPUC2UJSDB	2026-11-24 05:11:51.995327+00
sb_352xkRAmBjNcAevZ9UF75	NBKIFFN7HPKQGQ7HAT7HDVNZS6	2026-11-24 05:11:51.733228+00
sb_352xkRAmBjNcAevZ9UF75	NDHUMTNNCWRP24SH4UEB5WSYXL	2026-11-24 05:11:52.072148+00
sb_352xkRAmBjNcAevZ9UF75	NMETJC4BZO32VIKRUV5QEXQ3AG	2026-11-24 05:11:51.989825+00
sb_352xkRAmBjNcAevZ9UF75	NSFZJHRK7FDUS7MQESXIWOPXOH	2026-11-24 05:11:50.407696+00
sb_352xkRAmBjNcAevZ9UF75	O2NPDMWGK6MWWNYOB2C6ZDTO33	2026-11-24 05:11:51.974493+00
sb_352xkRAmBjNcAevZ9UF75	O4D2VLJJT5V3AVPH6NMSK5RJZD	2026-11-24 05:11:51.941607+00
sb_352xkRAmBjNcAevZ9UF75	OM3WS6C2JHUQQPJPXV74WBRA7D	2026-11-24 05:11:51.53208+00
sb_352xkRAmBjNcAevZ9UF75	ONO4NNQLOK7DEVWLBTPKSPW267	2026-11-24 05:11:51.776174+00
sb_352xkRAmBjNcAevZ9UF75	OSTGDP2EJX74XRFTTYAKGHUB5Q	2026-11-24 05:11:51.724987+00
sb_352xkRAmBjNcAevZ9UF75	OSXFC6NODRO2VPZF2VPFUVDIA7	2026-11-24 05:11:51.87169+00
sb_352xkRAmBjNcAevZ9UF75	PDM5WVDDQLZ6AKQBRH2WE7VMTT	2026-11-24 05:11:52.041671+00
sb_352xkRAmBjNcAevZ9UF75	PHTM74TSCFZQEC46JJ6VCBWA5Q	2026-11-24 05:11:51.780974+00
sb_352xkRAmBjNcAevZ9UF75	PJXP25OTFRBAVPV46ZGRQKY4LG	2026-11-24 05:11:51.963281+00
sb_352xkRAmBjNcAevZ9UF75	PM3BJHNVVHQJCROCLVYM6YIGDG	2026-11-24 05:11:51.743156+00
sb_352xkRAmBjNcAevZ9UF75	Q5YUCGJ5MLRYVP2CRWQDP7URMG	2026-11-24 05:11:51.798684+00
sb_352xkRAmBjNcAevZ9UF75	QAZP23J2G5YC65R55VY7RQZV27	2026-11-24 05:11:51.182017+00
sb_352xkRAmBjNcAevZ9UF75	QGPTWRD7ZJKTRSZRA3BGCP7RI3	2026-11-24 05:11:52.080037+00
sb_352xkRAmBjNcAevZ9UF75	QKGHIWPHE2BK63S7AAPLZN25OH	2026-11-24 05:11:51.932459+00
sb_352xkRAmBjNcAevZ9UF75	QLD6H34A6V4TJ5RKBBDTUDAZWR	2026-11-24 05:11:50.471275+00
sb_352xkRAmBjNcAevZ9UF75	QLXWWHLND2BRLZ66CYJMRXGFAC	2026-11-24 05:11:50.421227+00
sb_352xkRAmBjNcAevZ9UF75	R2JNMIXUWBH462Y77LVNNICGJ5	2026-11-24 05:11:52.048997+00
sb_352xkRAmBjNcAevZ9UF75	R6C74L576HN2DU3NBCWNI7BRVT	2026-11-24 05:11:47.181014+00
sb_352xkRAmBjNcAevZ9UF75	R7OGWFKRMIKZ4D5NM7Z2WASLSS	2026-11-24 05:11:51.87786+00
sb_352xkRAmBjNcAevZ9UF75	RIQKT2UGYZDG23AK6NIAPRZKTY	2026-11-24 05:11:51.853724+00
sb_352xkRAmBjNcAevZ9UF75	RQFZHLULQ2LMNOITPEXDJW5B4Z	2026-11-24 05:11:51.131962+00
sb_352xkRAmBjNcAevZ9UF75	RY2HRDAGT4SC7PXG4WHBYUTJY6	2026-11-24 05:11:51.031218+00
sb_352xkRAmBjNcAevZ9UF75	S7DQBENSWNRF2YUMJKDSFI5MNF	2026-11-24 05:11:51.949811+00
sb_352xkRAmBjNcAevZ9UF75	SUF6437EUJAQNKF2X2RQ6APJ6B	2026-11-24 05:11:52.036594+00
sb_352xkRAmBjNcAevZ9UF75	T3LLOXV62BDMSE43ALRQUAO6FB	2026-11-24 05:11:50.391771+00
sb_352xkRAmBjNcAevZ9UF75	T5ADJSLZXPPD3BSCMVR3H22MU3	2026-11-24 05:11:46.638681+00
sb_352xkRAmBjNcAevZ9UF75	TPCWFZPTTMUE7JQHUXX52DGQUR	2026-11-24 05:11:51.693793+00
sb_352xkRAmBjNcAevZ9UF75	TVCHWG333S65C2BJNOE6C3JRVA	2026-11-24 05:11:52.070547+00
sb_352xkRAmBjNcAevZ9UF75	U2NN6GT4WWARZ5VVUDFKHXDJ4X	2026-11-24 05:11:47.072974+00
sb_352xkRAmBjNcAevZ9UF75	U6J3WHV4VCB7YC7VNGHP6ZRIE7	2026-11-24 05:11:46.960137+00
sb_352xkRAmBjNcAevZ9UF75	UBWHEGLT7KQSN4KTGKNXSFP24C	2026-11-24 05:11:50.600732+00
sb_352xkRAmBjNcAevZ9UF75	UCKSL3RXCRROGI6UGRZBHGIETV	2026-11-24 05:11:52.002553+00
sb_352xkRAmBjNcAevZ9UF75	UFN6O4OUJPRNXZCEMR4PMI4YDQ	2026-11-24 05:11:52.027327+00
sb_352xkRAmBjNcAevZ9UF75	UKOWCSUCQXQX5DK56WX3E56MFY	2026-11-24 05:11:51.952515+00
sb_352xkRAmBjNcAevZ9UF75	UNG7TM6A3QUU5E6OGT2GH3PSUJ	2026-11-24 05:11:46.872143+00
sb_352xkRAmBjNcAevZ9UF75	UOD6HCVVXVOZ6ZZDFUS2TGYLZ7	2026-11-24 05:11:50.781569+00
sb_352xkRAmBjNcAevZ9UF75	UWNW4RGRAU6IKUC6TJUXXZI6LK	2026-11-24 05:11:51.919696+00
sb_352xkRAmBjNcAevZ9UF75	V3LWRZ6GMUTN4WPALWEDDZQOQU	2026-11-24 05:11:52.014527+00
sb_352xkRAmBjNcAevZ9UF75	V3ZC7ZWLL2SIGARE2BFP37T5XO	2026-11-24 05:11:51.94363+00
sb_352xkRAmBjNcAevZ9UF75	V5L6J7AEX75ZAWLAHUK5MQMEPD	2026-11-24 05:11:47.214854+00
sb_352xkRAmBjNcAevZ9UF75	V6Y6QYAELM2FDMQXBGZ4VJJSPE	2026-11-24 05:11:46.61988+00
sb_352xkRAmBjNcAevZ9UF75	VHECH6IAYCBEWTI7ZMMMWDRQWR	2026-11-24 05:11:51.805669+00
sb_352xkRAmBjNcAevZ9UF75	VJHEF55VN5R4BX43LWJFTEPHMK	2026-11-24 05:11:47.309353+00
sb_352xkRAmBjNcAevZ9UF75	VLJ6A5PRMMUBNODBY4Y3HMNSTD	2026-11-24 05:11:50.404616+00
sb_352xkRAmBjNcAevZ9UF75	VWCHCU4ZOZZQJ6GHVLOMG5QW3X	2026-11-24 05:11:51.849151+00
sb_352xkRAmBjNcAevZ9UF75	W5MLXEZYIMTA3XAGUOQ7M6KQ2H	2026-11-24 05:11:51.68755+00
sb_352xkRAmBjNcAevZ9UF75	WA5QEPCDO4TDMYYFYMQHKRA4OP	2026-11-24 05:11:51.945948+00
sb_352xkRAmBjNcAevZ9UF75	WIZEYVE5JHW2MYWLJHRLWBGYO3	2026-11-24 05:11:52.065891+00
sb_352xkRAmBjNcAevZ9UF75	WRQPL5AIE6SUETFBTFLX2P32IY	2026-11-24 05:11:51.281044+00
sb_352xkRAmBjNcAevZ9UF75	WSP4SYGCZXBI3LAT57AWNNV55R	2026-11-24 05:11:47.133199+00
sb_352xkRAmBjNcAevZ9UF75	WWAFBRUV2QRX5N42PWBHRVBPDY	2026-11-24 05:11:47.191345+00
sb_352xkRAmBjNcAevZ9UF75	WWCVRAVYMCT6GOL4QKRVYW5VZU	2026-11-24 05:11:46.566343+00
sb_352xkRAmBjNcAevZ9UF75	X5SUW6LSSG3NWKYJXRV7FRXG4L	2026-11-24 05:11:46.668639+00
sb_352xkRAmBjNcAevZ9UF75	X6MXMIGPWJRCAAUMUQHWNKZ654	2026-11-24 05:11:52.020585+00
sb_352xkRAmBjNcAevZ9UF75	X7XXYNW4VH5OQFXWGWARTGTPAX	2026-11-24 05:11:52.044534+00
sb_352xkRAmBjNcAevZ9UF75	XDHXMWIIEK6VVWJTE76OPERLLR	2026-11-24 05:11:51.857461+00
sb_352xkRAmBjNcAevZ9UF75	XDSTBMEZOKTWXAQ3G57B3NFPY5	2026-11-24 05:11:52.016403+00
sb_352xkRAmBjNcAevZ9UF75	XDYJFRJB5HFEJJDVTIU5FC2FA6	2026-11-24 05:11:50.415539+00
sb_352xkRAmBjNcAevZ9UF75	XH4RTI4FTRNQ3MAR6FPXOETUNE	2026-11-24 05:11:46.528485+00
sb_352xkRAmBjNcAevZ9UF75	XVKTZYPWICFZLRQ333PJB4CCYL	2026-11-24 05:11:52.022462+00
sb_352xkRAmBjNcAevZ9UF75	YE4S4QPDRSOKWL7UDPGDGFLM7O	2026-11-24 05:11:52.067832+00
sb_352xkRAmBjNcAevZ9UF75	YFANXENEPFIZO5B67VBXBU53GG	2026-11-24 05:11:46.600489+00
sb_352xkRAmBjNcAevZ9UF75	YH7XH6EHC5CUAH77AXNUIW2CNT	2026-11-24 05:11:51.97219+00
sb_352xkRAmBjNcAevZ9UF75	YKZPQK7IOTFKUTMTCOKPSXZYHK	2026-11-24 05:11:51.901759+00
sb_352xkRAmBjNcAevZ9UF75	YNC7WV7QGVUZ5CVA5G5LLNCH3B	2026-11-24 05:11:51.958154+00
sb_352xkRAmBjNcAevZ9UF75	YV3ZTCDCBQXRFTKWJLMMOHDNXJ	2026-11-24 05:11:52.063333+00
sb_352xkRAmBjNcAevZ9UF75	Z5HXWU4XSZTXRXN75QXY3ZUAD4	2026-11-24 05:11:47.304516+00
sb_352xkRAmBjNcAevZ9UF75	ZCODYRVPFD47MXWLLUAVESNCPD	2026-11-24 05:11:51.977002+00
sb_352xkRAmBjNcAevZ9UF75	ZRP367ZAOGMRGBA2SEAWS362MC	2026-11-24 05:11:50.597809+00
sb_352xkRAmBjNcAevZ9UF75	ZUCNHK5X6DZZJLLRFNSVBBXPLI	2026-11-24 05:11:50.930889+00
sb_352xkREy4j8mSwN54I9Xj	FIGVAHZ4EARYPW3PH6N34EOPL5	2026-11-24 05:11:51.763175+00
sb_352xkREy4j8mSwN54I9Xj	UJOYXUHET3YQ7NRCYO7U6WLV6B	2026-11-24 05:11:51.75541+00
sb_352xkRIZZAvTcsNGfi56w	C2VSJ676YSR6SVKEX4R25JSADA	2026-11-24 05:11:51.758506+00
\.

COPY organization (id, name, created_at) FROM stdin;
01a20be9-dde9-7441-bee7-9eb3c7d612f7	Fictional Acquirer	2026-11-24 04:56:45.801+00
\.

COPY person (id, business_id, first_name, last_name, citizenship, ownership_percentage, date_of_birth, email, created_at, updated_at) FROM stdin;
01a20be9-e20e-7997-919d-81c91dd3e456	01a20be9-e20e-78da-acea-0bd1eea45aac	Ada	Unreal	DE	33.33	1980-02-29	ada@orchards.example	2026-11-24 04:56:46.858+00	2026-11-24 04:56:46.858+00
01a20be9-e20e-799d-8556-77722c2afddc	01a20be9-e20e-78da-acea-0bd1eea45aac	Bo	Imagined	US	66.67	\N	\N	2026-11-24 04:56:46.858+00	2026-11-24 04:56:47.126+00
\.

COPY pricing_model (id, account_id, version, content, content_sha256, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20be9-df1d-7b1f-a9a3-fa20136d54c2	01a20be9-de0f-77fc-947f-7454c9fd86d1	1	{"base":500.25,"rules":[{"name":"five years","when":"business_age_years >= 5","points":100.125},{"name":"high volume","when":"average_yearly_credit_sales > 1000000","points":-40},{"name":"known trade","when":"industry_category_code.exists(c, c == \\"5411\\")","points":30}]}	\\xb7ccfb98f755854a260f78076d9454574aca5c798f5f09a169fd5be934a4b7e6	1	500000	2026-11-24 04:56:46.107+00	Priya
\.

COPY required_document (id, workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, previous_status, reasons, created_at, updated_at) FROM stdin;
01a20be9-e2c0-7e09-8d50-18bc2f9f9fbf	01a20be9-e220-742f-92b0-c91c091badab	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_352xkSinJfKB8sE0JILwi	NEEDS_REVIEW	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.075+00
01a20be9-e2c0-7e25-ad2d-35c580e3a424	01a20be9-e220-742f-92b0-c91c091badab	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_352xkSinJfKB8sE0JILwi	COMPLETED	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.114+00
01a20be9-e2c0-7e2f-a808-61ddbbc4d62e	01a20be9-e220-742f-92b0-c91c091badab	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.032+00
01a20be9-e2c0-7e36-ac4b-31b70e0e3219	01a20be9-e220-742f-92b0-c91c091badab	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.032+00
01a20be9-e2c0-7e3b-8cc1-4c5fffd7af1b	01a20be9-e220-742f-92b0-c91c091badab	REVIEW	Review	RISK	A review by two persons.	Workflow	w_352xkSkXzfyACZ2AOfvJr	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.032+00
01a20be9-e2c0-7e4d-a2cd-a5b3b64597a2	01a20be9-e220-742f-92b0-c91c091badab	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_352xkSinKkHoj8JyIxZ14": {"ownership_percentage": 33.33}, "p_352xkSinKmOdSxRRnjYz6": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_352xkSinKkHoj8JyIxZ14 is 33.33, at least 25; and the ownership percentage of person p_352xkSinKmOdSxRRnjYz6 is 66.67, at least 25.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.032+00
01a20be9-e2c0-7e53-9f55-092ae3532fad	01a20be9-e220-742f-92b0-c91c091badab	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352xkSinKkHoj8JyIxZ14	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352xkSinKkHoj8JyIxZ14": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_352xkSinKkHoj8JyIxZ14 is DE, not US; and the ownership percentage of person p_352xkSinKkHoj8JyIxZ14 is 33.33, at least 25.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.032+00
01a20be9-e2c0-7e5a-886f-afac5997da56	01a20be9-e220-742f-92b0-c91c091badab	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352xkSinKmOdSxRRnjYz6	INACTIVE	NEEDS_REVIEW	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352xkSinKmOdSxRRnjYz6": {"citizenship": "NO", "ownership_percentage": 66.67}}}, "message": "Passport: required because the citizenship of person p_352xkSinKmOdSxRRnjYz6 is NO, not US; and the ownership percentage of person p_352xkSinKmOdSxRRnjYz6 is 66.67, at least 25.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.163+00
01a20be9-e380-7761-bdc5-d02a1eb402b9	01a20be9-e354-74cb-958f-572f837daa06	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.228+00
01a20be9-e380-7774-b15c-288e09859e47	01a20be9-e354-74cb-958f-572f837daa06	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.228+00
01a20be9-e380-777b-824b-c88eafe31629	01a20be9-e354-74cb-958f-572f837daa06	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.228+00
01a20be9-e380-778a-b5f1-64ad74857942	01a20be9-e354-74cb-958f-572f837daa06	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.228+00
01a20be9-e380-778f-b716-b308ebc737d4	01a20be9-e354-74cb-958f-572f837daa06	REVIEW	Review	RISK	A review by two persons.	Workflow	w_352xkTEZUKutk3zcmHKTu	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.228+00
01a20be9-e380-7799-bf4b-029c8a4446e1	01a20be9-e354-74cb-958f-572f837daa06	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_352xkSinJfKB8sE0JILwi	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_352xkSinKkHoj8JyIxZ14": {"ownership_percentage": 33.33}, "p_352xkSinKmOdSxRRnjYz6": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_352xkSinKkHoj8JyIxZ14 is 33.33, at least 25; and the ownership percentage of person p_352xkSinKmOdSxRRnjYz6 is 66.67, at least 25.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.228+00
01a20be9-e380-77b5-ba1b-8639f1ef093a	01a20be9-e354-74cb-958f-572f837daa06	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352xkSinKkHoj8JyIxZ14	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352xkSinKkHoj8JyIxZ14": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_352xkSinKkHoj8JyIxZ14 is DE, not US; and the ownership percentage of person p_352xkSinKkHoj8JyIxZ14 is 33.33, at least 25.", "version_id": "rul_352xkSi0lZCVeLu9SA4si"}]	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.228+00
\.

COPY rule_set (id, account_id, version, content, content_sha256, comment, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20be9-e1ea-700c-8551-0cbdfd89f9db	01a20be9-de0f-77fc-947f-7454c9fd86d1	1	{"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"}]}	\\x8478d1389811e11dddd8c8456460dbeea27f3558198675f38e8d625a8eb5cda0	\N	1	500000	2026-11-24 04:56:46.82+00	back office
01a20be9-e206-7063-9f98-baea4a97e120	01a20be9-de0f-77fc-947f-7454c9fd86d1	2	{"lists":{"high_risk":["7995","5967"]},"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"},{"document_type_code":"BANK_STATEMENTS","name":"Bank statements","category":"FINANCIAL","requirement_text":"Three most recent statements.","entity_type":"Business","when":"average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},{"document_type_code":"YEARLY_ACCOUNTS","name":"Yearly accounts","category":"FINANCIAL","requirement_text":"The last yearly accounts.","entity_type":"Business","when":"average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")"},{"document_type_code":"PRICE_LIST","name":"Price list","category":"TRADE","requirement_text":"What is sold, at which price.","entity_type":"Business","when":"average_individual_sale < 20 || highest_ticket_sale >= 5000"},{"document_type_code":"BUSINESS_PLAN","name":"Business plan","category":"TRADE","requirement_text":"A plan of the first year.","entity_type":"Business","when":"business_age_months < 6 || business_age_years == 0"},{"document_type_code":"REVIEW","name":"Review","category":"RISK","requirement_text":"A review by two persons.","entity_type":"Workflow","when":"evaluation_score <= 640"},{"document_type_code":"OWNERSHIP_CHART","name":"Ownership","category":"IDENTITY","requirement_text":"Who owns what.","entity_type":"Business","when":"size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},{"document_type_code":"PASSPORT","name":"Passport","category":"IDENTITY","requirement_text":"The photo page.","entity_type":"Person","when":"person.citizenship != \\"US\\" && person.ownership_percentage >= 25"}],"examples":[{"name":"nobody abroad","facts":{"as_of":"2026-01-01","evaluation_score":700,"average_monthly_credit_sales":1,"average_yearly_credit_sales":12,"average_individual_sale":50,"highest_ticket_sale":60,"established_date":"2001-01-01","industry_category_code":["5411"],"persons":[{"person_id":"p1","citizenship":"US","ownership_percentage":100}]},"expect":{"documents":[{"document_type_code":"REGISTRATION"}]}}]}	\\xb0a639b8168699e53f8aa9039668c14c34fc7e16da650643ed836017f88ce1ad	all facts	1	500000	2026-11-24 04:56:46.852+00	back office
\.

COPY run_outcome (run_id, organization_id, environment, outcome, created_at) FROM stdin;
01a20be9-e0d1-7319-9971-a9cba0617ac8	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"key_id": "whk_20261124_01", "status": "INACTIVE", "created_at": "2026-11-24T04:56:46.545Z"}	2026-11-24 04:56:46.556+00
01a20be9-e0ea-717a-8510-8031f56dba5d	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"key_id": "whk_20261124_01", "status": "ACTIVE", "activated_at": "2026-11-24T04:56:46.576Z"}	2026-11-24 04:56:46.576+00
01a20be9-e239-7817-8fd2-5e2fc0073abd	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"evaluation_score": 600.375}	2026-11-24 04:56:46.94+00
01a20be9-e286-788b-bfd6-3ddf2498474b	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkT09EGFw2lJ7PIWvH"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkT09EQE4kVrZUP8po"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352xkT09ETlQBkV8SzQwY"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352xkT09EWFddxmk7rDDt"}, {"status": "PENDING", "entity_id": "w_352xkSkXzfyACZ2AOfvJr", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352xkT09EXypAqnZrPaTT"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352xkT09EeOKoPl4yvMVG"}, {"status": "PENDING", "entity_id": "p_352xkSinKkHoj8JyIxZ14", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EgVuQYT2CvAlh"}, {"status": "PENDING", "entity_id": "p_352xkSinKmOdSxRRnjYz6", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EixnKKdqzbP8Q"}]}	2026-11-24 04:56:47.032+00
01a20be9-e323-78b3-afc1-b8efaae32cf3	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"evaluation_score": 600.375}	2026-11-24 04:56:47.144+00
01a20be9-e335-76b9-8070-7f759aedbeb6	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkT09EGFw2lJ7PIWvH"}, {"status": "COMPLETED", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkT09EQE4kVrZUP8po"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352xkT09ETlQBkV8SzQwY"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352xkT09EWFddxmk7rDDt"}, {"status": "PENDING", "entity_id": "w_352xkSkXzfyACZ2AOfvJr", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352xkT09EXypAqnZrPaTT"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352xkT09EeOKoPl4yvMVG"}, {"status": "PENDING", "entity_id": "p_352xkSinKkHoj8JyIxZ14", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EgVuQYT2CvAlh"}], "removed": [{"status": "INACTIVE", "entity_id": "p_352xkSinKmOdSxRRnjYz6", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EixnKKdqzbP8Q"}]}	2026-11-24 04:56:47.163+00
01a20be9-e360-768b-b28a-e9c5758180b1	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"evaluation_score": 600.375}	2026-11-24 04:56:47.209+00
01a20be9-e374-715a-b1a8-531ce2c43560	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkTIrTWAXFtAMxEt9l"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkTIrTct48mBsDmI2p"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352xkTIrTfIsOUunkEDuL"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352xkTIrTkgzXV4h52wra"}, {"status": "PENDING", "entity_id": "w_352xkTEZUKutk3zcmHKTu", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352xkTIrTmSz32IM3tSPU"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352xkTIrTq1TXVN2dz0xF"}, {"status": "PENDING", "entity_id": "p_352xkSinKkHoj8JyIxZ14", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkTIrTzwR26aKI4EhO"}]}	2026-11-24 04:56:47.228+00
01a20be9-f02d-74fa-95a8-c6125f95e851	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"count": 10}	2026-11-24 04:56:50.525+00
01a20be9-f02d-74fa-95a8-c6125f95e851/0	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"at": "2026-11-24T04:56:50.497Z", "count": 5}	2026-11-24 04:56:50.489+00
01a20be9-f02d-74fa-95a8-c6125f95e851/1	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"count": 5}	2026-11-24 04:56:50.498+00
01a20be9-f02d-74fa-95a8-c6125f95e851/2	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"count": 0}	2026-11-24 04:56:50.521+00
01a20be9-f0c3-7ece-9628-23f8380eb309	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"key_id": "whk_20261124_02", "status": "INACTIVE", "created_at": "2026-11-24T04:56:50.628Z"}	2026-11-24 04:56:50.632+00
01a20be9-f0d2-741b-ab43-ca2af977e322	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"key_id": "whk_20261124_02", "status": "ACTIVE", "activated_at": "2026-11-24T04:56:50.648Z"}	2026-11-24 04:56:50.648+00
01a20be9-f0e6-7277-8da4-04deb0186b45	01a20be9-dde9-7441-bee7-9eb3c7d612f7	sandbox	{"key_id": "whk_20261124_03", "status": "INACTIVE", "created_at": "2026-11-24T04:56:50.662Z"}	2026-11-24 04:56:50.668+00
\.

COPY sales_amount (sales_info_id, type, value, currency, position) FROM stdin;
01a20be9-e20e-79a1-8828-536f0cf7fdc4	AVERAGE_INDIVIDUAL_SALE	19.99	USD	0
01a20be9-e20e-79a1-8828-536f0cf7fdc4	AVERAGE_MONTHLY_CREDIT_SALES	60000.00	USD	1
01a20be9-e20e-79a1-8828-536f0cf7fdc4	AVERAGE_YEARLY_CREDIT_SALES	720000.50	USD	2
01a20be9-e20e-79a1-8828-536f0cf7fdc4	HIGHEST_TICKET_SALE	9999999999999.99	USD	3
\.

COPY sales_info (id, business_id, created_at) FROM stdin;
01a20be9-e20e-79a1-8828-536f0cf7fdc4	01a20be9-e20e-78da-acea-0bd1eea45aac	2026-11-24 04:56:46.858+00
\.

COPY schedule_success (schedule, at) FROM stdin;
prune	2026-11-24 04:56:45.644233+00
reconcile	2026-11-24 04:56:45.644233+00
\.

COPY webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, probe, epoch, workflow_id, run_id, activity_id) FROM stdin;
01a20be9-e140-7b04-8795-a29cd2b272b4	1	01a20be9-e12c-7a36-b327-4768d7a9450d	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:46.771+00	2	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e221-71f8-8286-559cb778db59	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:46.887+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e221-71fa-9998-99dca7a8883f	1	01a20be9-e127-7505-963e-ac94b64202dc	FAILED	whk_20261124_01	2026-11-24 04:56:46.887+00	0	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e221-7218-97e9-2a023a6d04d5	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:46.887+00	1	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e221-7219-ae92-a2300014fafd	1	01a20be9-e120-7382-b161-560563eb0898	FAILED	whk_20261124_01	2026-11-24 04:56:46.887+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e221-7219-ae92-a2300014fafd	2	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.552+00	0	204	\N		127.0.0.1:42267	f	1	whc_352xkSLam1TWPKcRrJdwO	0eb871e3-07b5-4dd3-b010-234b9762b941	16
01a20be9-e25f-75ab-b81f-c30a060906ca	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:46.971+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e2c1-713e-b67e-33d83c2b8812	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.065+00	1	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e2e7-7639-a203-ef310d533f6f	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.087+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e304-7c55-8621-3f9780d02954	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.112+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e30d-7642-bb60-246bf47d34bc	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.126+00	1	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e312-7e52-8c6c-1de3397f04f1	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.126+00	1	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e32a-7130-80ef-e5f75037c600	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.148+00	1	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e33f-72c4-bf88-1de680350556	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.173+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e349-7f2e-bd97-77698125a69e	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.188+00	2	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e349-7f2f-8fc9-236395a7984c	1	01a20be9-e127-7505-963e-ac94b64202dc	FAILED	whk_20261124_01	2026-11-24 04:56:47.188+00	4	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e34f-799f-9adf-968ac7864be8	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.188+00	2	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e34f-79a0-aaae-bb4db324aad1	1	01a20be9-e127-7505-963e-ac94b64202dc	FAILED	whk_20261124_01	2026-11-24 04:56:47.188+00	1	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e34f-79b8-9b0d-40bb652cde5d	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.188+00	3	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e34f-79b9-9158-e505bf08114e	1	01a20be9-e120-7382-b161-560563eb0898	FAILED	whk_20261124_01	2026-11-24 04:56:47.188+00	2	\N	the connection was closed before the whole answer had come		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e34f-79b9-9158-e505bf08114e	2	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.552+00	0	204	\N		127.0.0.1:42267	f	1	whc_352xkSLam1TWPKcRrJdwO	0eb871e3-07b5-4dd3-b010-234b9762b941	16
01a20be9-e355-7251-9399-51d94572d197	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.204+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e355-7252-92b5-2ff23496476e	1	01a20be9-e127-7505-963e-ac94b64202dc	FAILED	whk_20261124_01	2026-11-24 04:56:47.204+00	1	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e355-7266-9582-086afccbf4ff	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.204+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e355-7267-b75a-1ec53024ffc6	1	01a20be9-e120-7382-b161-560563eb0898	FAILED	whk_20261124_01	2026-11-24 04:56:47.204+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e355-7267-b75a-1ec53024ffc6	2	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.552+00	0	204	\N		127.0.0.1:42267	f	1	whc_352xkSLam1TWPKcRrJdwO	0eb871e3-07b5-4dd3-b010-234b9762b941	16
01a20be9-e36b-7bf5-8827-4eb5a6539022	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.222+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e380-79db-94c2-db118b67ce73	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.245+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e38e-7771-a598-7f5b47bf8118	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.262+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e38e-7771-a598-7f5b47bf8118	2	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_02	2026-11-24 04:56:51.619+00	0	204	\N		127.0.0.1:42267	f	0	whc_352xkSJq36N7oWBlAATJ3	6e1355e0-4221-499e-9bfa-b2527d3edc33	6
01a20be9-e38e-7773-9af2-c7a0a42975df	1	01a20be9-e119-74ae-be8f-e83e9ec105a1	FAILED	whk_20261124_01	2026-11-24 04:56:47.262+00	0	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e38e-7774-88eb-6894ba61006b	1	01a20be9-e120-7382-b161-560563eb0898	FAILED	whk_20261124_01	2026-11-24 04:56:47.262+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e38e-7774-88eb-6894ba61006b	2	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.552+00	0	204	\N		127.0.0.1:42267	f	1	whc_352xkSLam1TWPKcRrJdwO	0eb871e3-07b5-4dd3-b010-234b9762b941	16
01a20be9-e3d0-7be9-a02a-4ca1405c59d0	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.316+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e3d0-7bea-90fc-60b51bcbd28b	1	01a20be9-e127-7505-963e-ac94b64202dc	FAILED	whk_20261124_01	2026-11-24 04:56:47.316+00	1	503	\N	\N	127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e3d0-7c01-8166-781af98ee397	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.316+00	1	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e3d0-7c02-89c7-b154ff4bfb01	1	01a20be9-e120-7382-b161-560563eb0898	FAILED	whk_20261124_01	2026-11-24 04:56:47.316+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e3d0-7c02-89c7-b154ff4bfb01	2	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.552+00	0	204	\N		127.0.0.1:42267	f	1	whc_352xkSLam1TWPKcRrJdwO	0eb871e3-07b5-4dd3-b010-234b9762b941	16
01a20be9-e3dd-77a0-aaa3-3f7bce3e46e2	1	01a20be9-e12c-7a36-b327-4768d7a9450d	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.333+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-e3dd-77c0-95c5-0933a4151b68	1	01a20be9-e12c-7a36-b327-4768d7a9450d	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:47.333+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkSSJsSZOE1oA6drxE	01a20be9-e16b-708c-9957-9a1d21cafa1a	
01a20be9-efca-7cbc-832a-f49540d5d5bf	1	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.522+00	2	204	\N		127.0.0.1:42267	f	1	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efcf-7508-89cb-dc27d55ad31a	1	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.522+00	0	204	\N		127.0.0.1:42267	f	1	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efd2-7d10-99d1-bda278db520a	1	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.522+00	0	204	\N		127.0.0.1:42267	f	1	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efd6-7307-8f57-ed211c856c6b	1	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.522+00	0	204	\N		127.0.0.1:42267	f	1	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efda-720b-8d41-2280fc29c28e	1	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.522+00	0	204	\N		127.0.0.1:42267	f	1	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efe1-703f-a7e5-f2aaa91aadc3	1	01a20be9-e119-74ae-be8f-e83e9ec105a1	FAILED	whk_20261124_01	2026-11-24 04:56:50.421+00	0	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efe6-707a-bf85-72bac8bd0606	1	01a20be9-e119-74ae-be8f-e83e9ec105a1	FAILED	whk_20261124_01	2026-11-24 04:56:50.421+00	0	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efe8-7cf2-bc84-a70fee54204e	1	01a20be9-e119-74ae-be8f-e83e9ec105a1	FAILED	whk_20261124_01	2026-11-24 04:56:50.421+00	0	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-efec-7c88-9785-2fe364e1534b	1	01a20be9-e119-74ae-be8f-e83e9ec105a1	FAILED	whk_20261124_01	2026-11-24 04:56:50.421+00	0	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-eff1-7b0c-8340-1e80e0be52ae	1	01a20be9-e119-74ae-be8f-e83e9ec105a1	FAILED	whk_20261124_01	2026-11-24 04:56:50.421+00	1	503	\N	down for maintenance\n	127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-effd-7129-adf6-95a68ff5244b	1	01a20be9-e12c-7a36-b327-4768d7a9450d	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.442+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-f060-7c8a-ac91-a80cc993b3f1	1	01a20be9-e12c-7a36-b327-4768d7a9450d	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.541+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-f070-7d2c-b90f-2a2977ed6dbf	1	01a20be9-e120-7382-b161-560563eb0898	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.554+00	0	204	\N		127.0.0.1:42267	f	1	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-f0bb-7e90-8262-593ab59a2b7f	1	01a20be9-e12c-7a36-b327-4768d7a9450d	SUCCEEDED	whk_20261124_01	2026-11-24 04:56:50.623+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
01a20be9-f0dc-787e-9b4a-4aba42ceb97d	1	01a20be9-e10e-7630-bd40-4513baabcf41	SUCCEEDED	whk_20261124_02	2026-11-24 04:56:50.657+00	0	204	\N		127.0.0.1:42267	f	0	send/352xkYIYPGFTMqL9PQOGA	01a20be9-efeb-73cb-bf3a-ae885c61dfd6	
\.

COPY webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, replay, state, attempt_count, round_attempts, next_attempt_at, asked_at, last_error, created_at, updated_at) FROM stdin;
01a20be9-e140-7b04-8795-a29cd2b272b4	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e140-7b1a-b11a-a22190af5fcf	01a20be9-e12c-7a36-b327-4768d7a9450d	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:46.65+00	2026-11-24 04:56:46.79+00
01a20be9-e221-71f8-8286-559cb778db59	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e221-71f5-bfc6-8e2c8d0f392d	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:46.878+00	2026-11-24 04:56:46.899+00
01a20be9-e221-71fa-9998-99dca7a8883f	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e221-71f5-bfc6-8e2c8d0f392d	01a20be9-e127-7505-963e-ac94b64202dc	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 04:56:46.878+00	2026-11-24 04:56:50.607+00
01a20be9-e221-7218-97e9-2a023a6d04d5	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e221-7217-9347-fabe618d19d7	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:46.878+00	2026-11-24 04:56:46.909+00
01a20be9-e221-7219-ae92-a2300014fafd	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e221-7217-9347-fabe618d19d7	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 04:56:46.878+00	2026-11-24 04:56:50.557+00
01a20be9-e25f-75ab-b81f-c30a060906ca	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e25f-75a6-989b-07bdc9cde04d	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:46.94+00	2026-11-24 04:56:47.003+00
01a20be9-e2c1-713e-b67e-33d83c2b8812	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e2c1-713c-9f28-31bd701be953	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.032+00	2026-11-24 04:56:47.076+00
01a20be9-e2e7-7639-a203-ef310d533f6f	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e2e7-7634-b17d-e288eeea5a5a	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.075+00	2026-11-24 04:56:47.092+00
01a20be9-e304-7c55-8621-3f9780d02954	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e304-7c4f-8f61-560c8e537ccc	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.087+00	2026-11-24 04:56:47.116+00
01a20be9-e30d-7642-bb60-246bf47d34bc	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e30d-763f-bb09-0c5a5af56f1d	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.114+00	2026-11-24 04:56:47.135+00
01a20be9-e312-7e52-8c6c-1de3397f04f1	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e312-7e4f-95d8-3e57bc3ec1f7	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.12+00	2026-11-24 04:56:47.133+00
01a20be9-e32a-7130-80ef-e5f75037c600	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e32a-712c-8f73-1faec08e72cf	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.144+00	2026-11-24 04:56:47.153+00
01a20be9-e33f-72c4-bf88-1de680350556	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e33f-72c2-ab8c-83d1dd58c9d5	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.163+00	2026-11-24 04:56:47.176+00
01a20be9-e349-7f2e-bd97-77698125a69e	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e349-7f2b-a1af-adee75ace145	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.173+00	2026-11-24 04:56:47.2+00
01a20be9-e349-7f2f-8fc9-236395a7984c	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e349-7f2b-a1af-adee75ace145	01a20be9-e127-7505-963e-ac94b64202dc	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 04:56:47.173+00	2026-11-24 04:56:50.607+00
01a20be9-e34f-799f-9adf-968ac7864be8	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e34f-7986-87e2-58a91af911de	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.181+00	2026-11-24 04:56:47.196+00
01a20be9-e34f-79a0-aaae-bb4db324aad1	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e34f-7986-87e2-58a91af911de	01a20be9-e127-7505-963e-ac94b64202dc	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 04:56:47.181+00	2026-11-24 04:56:50.607+00
01a20be9-e34f-79b8-9b0d-40bb652cde5d	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e34f-79b7-a1a2-8f8d85360c42	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.181+00	2026-11-24 04:56:47.2+00
01a20be9-e34f-79b9-9158-e505bf08114e	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e34f-79b7-a1a2-8f8d85360c42	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 04:56:47.181+00	2026-11-24 04:56:50.557+00
01a20be9-e355-7251-9399-51d94572d197	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e355-7248-9c29-e44326e9c7b5	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.186+00	2026-11-24 04:56:47.21+00
01a20be9-e355-7252-92b5-2ff23496476e	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e355-7248-9c29-e44326e9c7b5	01a20be9-e127-7505-963e-ac94b64202dc	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 04:56:47.186+00	2026-11-24 04:56:50.607+00
01a20be9-e355-7266-9582-086afccbf4ff	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e355-7265-a4e6-c1836c195920	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.186+00	2026-11-24 04:56:47.211+00
01a20be9-e355-7267-b75a-1ec53024ffc6	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e355-7265-a4e6-c1836c195920	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 04:56:47.186+00	2026-11-24 04:56:50.557+00
01a20be9-e36b-7bf5-8827-4eb5a6539022	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e36b-7bf2-b6c3-8451e0aceb98	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.209+00	2026-11-24 04:56:47.229+00
01a20be9-e380-79db-94c2-db118b67ce73	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e380-79d9-8a2a-b142d17ef30b	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.228+00	2026-11-24 04:56:47.25+00
01a20be9-e38e-7771-a598-7f5b47bf8118	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e38e-776d-bf26-1d7e45842990	01a20be9-e10e-7630-bd40-4513baabcf41	f	t	DELIVERED	2	1	\N	\N	\N	2026-11-24 04:56:47.241+00	2026-11-24 04:56:51.624+00
01a20be9-e38e-7773-9af2-c7a0a42975df	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e38e-776d-bf26-1d7e45842990	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	RETRYING	1	1	2026-11-24 04:57:02.266+00	\N	HTTP 503	2026-11-24 04:56:47.241+00	2026-11-24 04:56:47.266+00
01a20be9-e38e-7774-88eb-6894ba61006b	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e38e-776d-bf26-1d7e45842990	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 04:56:47.241+00	2026-11-24 04:56:50.557+00
01a20be9-e38e-7775-b500-dff572a13034	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e38e-776d-bf26-1d7e45842990	01a20be9-e133-728c-be68-51ebe560e5ba	f	f	HELD	0	0	\N	\N	\N	2026-11-24 04:56:47.241+00	2026-11-24 04:56:47.253+00
01a20be9-e3d0-7be9-a02a-4ca1405c59d0	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e3d0-7be5-b4d6-22e090b5c29d	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.31+00	2026-11-24 04:56:47.32+00
01a20be9-e3d0-7bea-90fc-60b51bcbd28b	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e3d0-7be5-b4d6-22e090b5c29d	01a20be9-e127-7505-963e-ac94b64202dc	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 04:56:47.31+00	2026-11-24 04:56:50.607+00
01a20be9-e3d0-7c01-8166-781af98ee397	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e3d0-7c00-8cad-f8f807162d85	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.31+00	2026-11-24 04:56:47.322+00
01a20be9-e3d0-7c02-89c7-b154ff4bfb01	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e3d0-7c00-8cad-f8f807162d85	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 04:56:47.31+00	2026-11-24 04:56:50.556+00
01a20be9-e3dd-77a0-aaa3-3f7bce3e46e2	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e3dd-77b4-a5d4-fa64eaf69ec8	01a20be9-e12c-7a36-b327-4768d7a9450d	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.325+00	2026-11-24 04:56:47.337+00
01a20be9-e3dd-77c0-95c5-0933a4151b68	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e3dd-77d4-81fc-9ac94766f954	01a20be9-e12c-7a36-b327-4768d7a9450d	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:47.325+00	2026-11-24 04:56:47.338+00
01a20be9-efca-7cbc-832a-f49540d5d5bf	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efca-7cb1-a26c-00194bb9d749	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.376+00	2026-11-24 04:56:50.537+00
01a20be9-efcf-7508-89cb-dc27d55ad31a	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efcf-7505-a51e-96df4b21cfce	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.382+00	2026-11-24 04:56:50.528+00
01a20be9-efd2-7d10-99d1-bda278db520a	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efd2-7d0c-9ff5-4b68c5d537fb	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.386+00	2026-11-24 04:56:50.537+00
01a20be9-efd6-7307-8f57-ed211c856c6b	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efd6-7305-98c6-befb16900b59	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.389+00	2026-11-24 04:56:50.528+00
01a20be9-efda-720b-8d41-2280fc29c28e	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efda-7207-bdbd-a900b598b4d8	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.393+00	2026-11-24 04:56:50.528+00
01a20be9-efe1-703f-a7e5-f2aaa91aadc3	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efe1-703a-a77a-28cc9dfc7169	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	RETRYING	1	1	2026-11-24 04:57:05.428+00	\N	HTTP 503	2026-11-24 04:56:50.4+00	2026-11-24 04:56:50.428+00
01a20be9-efe6-707a-bf85-72bac8bd0606	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efe6-7076-9490-13e0cf7d74ea	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	RETRYING	1	1	2026-11-24 04:57:05.428+00	\N	HTTP 503	2026-11-24 04:56:50.405+00	2026-11-24 04:56:50.428+00
01a20be9-efe8-7cf2-bc84-a70fee54204e	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efe8-7cef-bbbc-c3a26416638d	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	RETRYING	1	1	2026-11-24 04:57:05.428+00	\N	HTTP 503	2026-11-24 04:56:50.408+00	2026-11-24 04:56:50.428+00
01a20be9-efec-7c88-9785-2fe364e1534b	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-efec-7c83-8fb4-e324e687497d	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	RETRYING	1	1	2026-11-24 04:57:05.428+00	\N	HTTP 503	2026-11-24 04:56:50.412+00	2026-11-24 04:56:50.428+00
01a20be9-eff1-7b0c-8340-1e80e0be52ae	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-eff1-7b0a-8185-842f2c3086e4	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	RETRYING	1	0	2026-11-24 04:56:51.698+00	2026-11-24 04:56:51.698+00	HTTP 503	2026-11-24 04:56:50.417+00	2026-11-24 04:56:51.698+00
01a20be9-effd-7129-adf6-95a68ff5244b	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-effd-713d-955b-ab5239ef254f	01a20be9-e12c-7a36-b327-4768d7a9450d	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.428+00	2026-11-24 04:56:50.444+00
01a20be9-f060-7c8a-ac91-a80cc993b3f1	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f060-7c9f-b231-03fb7bf2ea70	01a20be9-e12c-7a36-b327-4768d7a9450d	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.528+00	2026-11-24 04:56:50.544+00
01a20be9-f070-7d2c-b90f-2a2977ed6dbf	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f070-7d2a-8ee1-bb98262befec	01a20be9-e120-7382-b161-560563eb0898	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.544+00	2026-11-24 04:56:50.557+00
01a20be9-f0af-712e-a674-b7cf38e6af02	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f0af-7123-b7ef-eadc24aff877	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	FAILED	0	0	\N	\N	given up with webhook.delivery.cancel	2026-11-24 04:56:50.606+00	2026-11-24 04:56:50.619+00
01a20be9-f0bb-7e90-8262-593ab59a2b7f	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f0bb-7ea4-99b3-7ba8620a0724	01a20be9-e12c-7a36-b327-4768d7a9450d	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.614+00	2026-11-24 04:56:50.626+00
01a20be9-f0dc-787e-9b4a-4aba42ceb97d	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f0dc-787a-bba9-b20e1afb283f	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 04:56:50.648+00	2026-11-24 04:56:50.662+00
01a20be9-f4f8-735b-ac57-89623e4e8f31	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f4f8-7358-bcdd-16997708cfb8	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	PENDING	0	0	2026-11-24 04:56:51.704+00	\N	\N	2026-11-24 04:56:51.702+00	2026-11-24 04:56:51.704+00
01a20be9-f4f8-7378-a521-5ea68662be67	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f4f8-7376-b53d-a4a8552db0d7	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	PENDING	0	0	2026-11-24 04:56:51.705+00	\N	\N	2026-11-24 04:56:51.702+00	2026-11-24 04:56:51.705+00
01a20be9-f4f8-7379-954b-d2f1473b9f9c	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f4f8-7376-b53d-a4a8552db0d7	01a20be9-e120-7382-b161-560563eb0898	f	f	PENDING	0	0	2026-11-24 04:56:51.705+00	\N	\N	2026-11-24 04:56:51.702+00	2026-11-24 04:56:51.705+00
01a20be9-f508-7dfc-a597-67dd4e1348a6	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f508-7df9-9ad0-131a46f894cf	01a20be9-e10e-7630-bd40-4513baabcf41	f	f	PENDING	0	0	2026-11-24 04:56:51.722+00	\N	\N	2026-11-24 04:56:51.719+00	2026-11-24 04:56:51.722+00
01a20be9-f508-7dfd-a1a9-4dde85812791	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f508-7df9-9ad0-131a46f894cf	01a20be9-e119-74ae-be8f-e83e9ec105a1	f	f	PENDING	0	0	2026-11-24 04:56:51.722+00	\N	\N	2026-11-24 04:56:51.719+00	2026-11-24 04:56:51.722+00
01a20be9-f508-7dfe-a043-be968dc06414	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f508-7df9-9ad0-131a46f894cf	01a20be9-e120-7382-b161-560563eb0898	f	f	PENDING	0	0	2026-11-24 04:56:51.722+00	\N	\N	2026-11-24 04:56:51.719+00	2026-11-24 04:56:51.722+00
01a20be9-f508-7dff-b1c0-07a2d904be98	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-f508-7df9-9ad0-131a46f894cf	01a20be9-e133-728c-be68-51ebe560e5ba	f	f	HELD	0	0	\N	\N	\N	2026-11-24 04:56:51.719+00	2026-11-24 04:56:51.722+00
\.

COPY webhook_endpoint (id, account_id, url, url_key, event_types, description, rate_per_second, concurrency, status, disabled_reason, place, created_at, updated_at, deleted_at, settle_at) FROM stdin;
01a20be9-e10e-7630-bd40-4513baabcf41	01a20be9-de0f-77fc-947f-7454c9fd86d1	http://127.0.0.1:42267/well	http://127.0.0.1:42267/well	\N	all events	500	5	ACTIVE	\N	1	2026-11-24 04:56:46.602+00	2026-11-24 04:56:46.602+00	\N	\N
01a20be9-e119-74ae-be8f-e83e9ec105a1	01a20be9-de0f-77fc-947f-7454c9fd86d1	http://127.0.0.1:42267/broken	http://127.0.0.1:42267/broken	{WORKFLOW_COMPLETED}	\N	\N	\N	ACTIVE	\N	2	2026-11-24 04:56:46.616+00	2026-11-24 04:56:46.616+00	\N	\N
01a20be9-e120-7382-b161-560563eb0898	01a20be9-de0f-77fc-947f-7454c9fd86d1	http://127.0.0.1:42267/recovered	http://127.0.0.1:42267/recovered	{WORKFLOW_COMPLETED,WORKFLOW_STARTED}	\N	\N	\N	ACTIVE	\N	3	2026-11-24 04:56:46.621+00	2026-11-24 04:56:46.621+00	\N	\N
01a20be9-e127-7505-963e-ac94b64202dc	01a20be9-de0f-77fc-947f-7454c9fd86d1	http://127.0.0.1:42267/given-up	http://127.0.0.1:42267/given-up	{WORKFLOW_CREATED}	\N	\N	\N	ACTIVE	\N	\N	2026-11-24 04:56:46.63+00	2026-11-24 04:56:50.601+00	2026-11-24 04:56:50.601+00	\N
01a20be9-e12c-7a36-b327-4768d7a9450d	01a20be9-de0f-77fc-947f-7454c9fd86d1	http://127.0.0.1:42267/notices	http://127.0.0.1:42267/notices	{WEBHOOK_ENDPOINT_FAILING,WEBHOOK_ENDPOINT_DISABLED,WEBHOOK_ENDPOINT_RECOVERED,WEBHOOK_DELIVERY_FAILED}	\N	\N	\N	ACTIVE	\N	5	2026-11-24 04:56:46.635+00	2026-11-24 04:56:46.635+00	\N	\N
01a20be9-e133-728c-be68-51ebe560e5ba	01a20be9-de0f-77fc-947f-7454c9fd86d1	http://127.0.0.1:42267/disabled	http://127.0.0.1:42267/disabled	{WORKFLOW_COMPLETED}	\N	\N	\N	DISABLED	Disabled with webhook.config.update.	6	2026-11-24 04:56:46.639+00	2026-11-24 04:56:46.65+00	\N	\N
\.

COPY webhook_endpoint_health (endpoint_id, failures, failing_since, last_error, probe_at, probes, retry_after, recovered_at, epoch, successes_from, slow, told, told_since, opens_at, looks_at, wake_at, wake_lease) FROM stdin;
01a20be9-e10e-7630-bd40-4513baabcf41	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	2026-11-24 04:56:51.512536+00	\N	\N	\N
01a20be9-e119-74ae-be8f-e83e9ec105a1	6	2026-11-24 04:56:47.262+00	HTTP 503	2026-11-24 04:56:56.343436+00	0	2026-11-24 04:57:05.428+00	\N	0	0	f	WEBHOOK_ENDPOINT_FAILING	2026-11-24 04:56:47.262+00	\N	2026-11-24 04:57:02.266+00	2026-11-23 04:56:51.698+00	\N
01a20be9-e120-7382-b161-560563eb0898	0	\N	\N	\N	0	\N	2026-11-24 04:56:50.492+00	1	0	f	\N	\N	\N	\N	\N	\N
01a20be9-e127-7505-963e-ac94b64202dc	5	2026-11-24 04:56:46.887+00	HTTP 503	2026-11-24 04:56:53.085002+00	0	2026-11-24 04:57:02.325+00	\N	1	1	f	WEBHOOK_ENDPOINT_FAILING	2026-11-24 04:56:46.887+00	\N	2026-11-24 04:57:01.903+00	\N	\N
01a20be9-e12c-7a36-b327-4768d7a9450d	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	\N	\N	\N	\N
01a20be9-e133-728c-be68-51ebe560e5ba	0	\N	\N	\N	0	\N	\N	1	1	f	WEBHOOK_ENDPOINT_DISABLED	2026-11-24 04:56:46.65+00	\N	\N	\N	\N
\.

COPY webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields, test, epoch, xid, traceparent) FROM stdin;
01a20be9-e0f5-737e-b15c-fd24f08501a7	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_KEY_ACTIVATED	2026-11-24 04:56:46.576+00	\N	0	back office	API_KEY	{"key_id": "whk_20261124_01"}	f	1	766	00-8cbcf140fa497013334f4237073cd89c-f0bbae2a4b1cf3d6-00
01a20be9-e140-7b1a-b11a-a22190af5fcf	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_ENDPOINT_DISABLED	2026-11-24 04:56:46.65+00	\N	0	back office	API_KEY	{"since": "2026-11-24T04:56:46.650Z", "waiting": 0, "url_host": "127.0.0.1:42267", "config_id": "whc_352xkSNRaApWhVut4GxMQ", "last_error": null, "disabled_reason": "Disabled with webhook.config.update."}	f	1	781	00-451ea13c1b62b16da29dbb763e99f238-7b3bdd9420a8da24-00
01a20be9-e221-71f5-bfc6-8e2c8d0f392d	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_CREATED	2026-11-24 04:56:46.878+00	01a20be9-e220-742f-92b0-c91c091badab	1	back office	API_KEY	{"state": "CREATED"}	f	1	802	00-999960a87bccc5d8299f8772a14d2888-7369b996d7ac0453-00
01a20be9-e221-7217-9347-fabe618d19d7	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_STARTED	2026-11-24 04:56:46.878+00	01a20be9-e220-742f-92b0-c91c091badab	2	back office	API_KEY	{"state": "STARTED"}	f	1	802	00-999960a87bccc5d8299f8772a14d2888-7369b996d7ac0453-00
01a20be9-e25f-75a6-989b-07bdc9cde04d	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_PRICING_CALCULATED	2026-11-24 04:56:46.94+00	01a20be9-e220-742f-92b0-c91c091badab	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	813	00-5b3ee1566c6fcc83d72181f415b5bd1f-ca733d2abafd5f5f-00
01a20be9-e2c1-713c-9f28-31bd701be953	01a20be9-de0f-77fc-947f-7454c9fd86d1	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 04:56:47.032+00	01a20be9-e220-742f-92b0-c91c091badab	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkT09EGFw2lJ7PIWvH"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkT09EQE4kVrZUP8po"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352xkT09ETlQBkV8SzQwY"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352xkT09EWFddxmk7rDDt"}, {"status": "PENDING", "entity_id": "w_352xkSkXzfyACZ2AOfvJr", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352xkT09EXypAqnZrPaTT"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352xkT09EeOKoPl4yvMVG"}, {"status": "PENDING", "entity_id": "p_352xkSinKkHoj8JyIxZ14", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EgVuQYT2CvAlh"}, {"status": "PENDING", "entity_id": "p_352xkSinKmOdSxRRnjYz6", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EixnKKdqzbP8Q"}], "removed": [], "restored": []}	f	1	820	00-564f97032d2d37afbfc864703ea217db-d7be93e1330a212d-00
01a20be9-e2e7-7634-b17d-e288eeea5a5a	01a20be9-de0f-77fc-947f-7454c9fd86d1	REQUIRED_DOCUMENT_UPDATED	2026-11-24 04:56:47.075+00	01a20be9-e220-742f-92b0-c91c091badab	5	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkT09EGFw2lJ7PIWvH"}	f	1	828	00-1c62e9dd5b9454a8fec238009472ce80-05cf250482ddecc5-00
01a20be9-e304-7c4f-8f61-560c8e537ccc	01a20be9-de0f-77fc-947f-7454c9fd86d1	REQUIRED_DOCUMENT_UPDATED	2026-11-24 04:56:47.087+00	01a20be9-e220-742f-92b0-c91c091badab	6	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkT09EQE4kVrZUP8po"}	f	1	832	00-e4a1efc4ba1566c0e3ec9815e6a78c82-d6f563d2f8c90855-00
01a20be9-e30d-763f-bb09-0c5a5af56f1d	01a20be9-de0f-77fc-947f-7454c9fd86d1	REQUIRED_DOCUMENT_UPDATED	2026-11-24 04:56:47.114+00	01a20be9-e220-742f-92b0-c91c091badab	7	back office	API_KEY	{"status": "COMPLETED", "previous_status": "NEEDS_REVIEW", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkT09EQE4kVrZUP8po"}	f	1	839	00-43b48e77c24ff6eda3155966ff134071-06ce8e2755fb9d06-00
01a20be9-e312-7e4f-95d8-3e57bc3ec1f7	01a20be9-de0f-77fc-947f-7454c9fd86d1	REQUIRED_DOCUMENT_UPDATED	2026-11-24 04:56:47.12+00	01a20be9-e220-742f-92b0-c91c091badab	8	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EixnKKdqzbP8Q"}	f	1	843	00-85521831d0f7c3a7ba55a26780d0d42f-0ff5267d60753fab-00
01a20be9-e32a-712c-8f73-1faec08e72cf	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_PRICING_CALCULATED	2026-11-24 04:56:47.144+00	01a20be9-e220-742f-92b0-c91c091badab	9	back office	API_KEY	{"evaluation_score": 600.375}	f	1	851	00-b3e7fc13be43e4d1d51e9a987361f6a2-da7cea4bb0375097-00
01a20be9-e33f-72c2-ab8c-83d1dd58c9d5	01a20be9-de0f-77fc-947f-7454c9fd86d1	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 04:56:47.163+00	01a20be9-e220-742f-92b0-c91c091badab	10	back office	API_KEY	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkT09EGFw2lJ7PIWvH"}, {"status": "COMPLETED", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkT09EQE4kVrZUP8po"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352xkT09ETlQBkV8SzQwY"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352xkT09EWFddxmk7rDDt"}, {"status": "PENDING", "entity_id": "w_352xkSkXzfyACZ2AOfvJr", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352xkT09EXypAqnZrPaTT"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352xkT09EeOKoPl4yvMVG"}, {"status": "PENDING", "entity_id": "p_352xkSinKkHoj8JyIxZ14", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EgVuQYT2CvAlh"}], "added": [], "removed": [{"status": "INACTIVE", "entity_id": "p_352xkSinKmOdSxRRnjYz6", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkT09EixnKKdqzbP8Q"}], "restored": []}	f	1	856	00-e05077a5bdb66d06b27dfe37b19df5f0-cde9054f0cb46998-00
01a20be9-e349-7f2b-a1af-adee75ace145	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_CREATED	2026-11-24 04:56:47.173+00	01a20be9-e349-7353-98dd-8d9abb52aa4d	1	back office	API_KEY	{"state": "CREATED"}	f	1	863	00-343e03d30c2352618e3feb12225751fb-ce2a327468f7d8c4-00
01a20be9-e34f-7986-87e2-58a91af911de	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_CREATED	2026-11-24 04:56:47.181+00	01a20be9-e34f-74a6-84a7-5234439fca06	1	back office	API_KEY	{"state": "CREATED"}	f	1	866	00-99c95712ef545b25fab7326fd944465b-b0fb49799110c63c-00
01a20be9-e34f-79b7-a1a2-8f8d85360c42	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_STARTED	2026-11-24 04:56:47.181+00	01a20be9-e34f-74a6-84a7-5234439fca06	2	back office	API_KEY	{"state": "STARTED"}	f	1	866	00-99c95712ef545b25fab7326fd944465b-b0fb49799110c63c-00
01a20be9-e355-7248-9c29-e44326e9c7b5	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_CREATED	2026-11-24 04:56:47.186+00	01a20be9-e354-74cb-958f-572f837daa06	1	back office	API_KEY	{"state": "CREATED"}	f	1	869	00-9a30ce2e295e543e66f772a0e1bc3c5e-b18b87d842675065-00
01a20be9-e355-7265-a4e6-c1836c195920	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_STARTED	2026-11-24 04:56:47.186+00	01a20be9-e354-74cb-958f-572f837daa06	2	back office	API_KEY	{"state": "STARTED"}	f	1	869	00-9a30ce2e295e543e66f772a0e1bc3c5e-b18b87d842675065-00
01a20be9-e36b-7bf2-b6c3-8451e0aceb98	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_PRICING_CALCULATED	2026-11-24 04:56:47.209+00	01a20be9-e354-74cb-958f-572f837daa06	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	880	00-8548cc84487061029125f2b5576b4062-4aafa28dec3dd516-00
01a20be9-e380-79d9-8a2a-b142d17ef30b	01a20be9-de0f-77fc-947f-7454c9fd86d1	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 04:56:47.228+00	01a20be9-e354-74cb-958f-572f837daa06	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352xkTIrTWAXFtAMxEt9l"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352xkTIrTct48mBsDmI2p"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352xkTIrTfIsOUunkEDuL"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352xkTIrTkgzXV4h52wra"}, {"status": "PENDING", "entity_id": "w_352xkTEZUKutk3zcmHKTu", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352xkTIrTmSz32IM3tSPU"}, {"status": "PENDING", "entity_id": "b_352xkSinJfKB8sE0JILwi", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352xkTIrTq1TXVN2dz0xF"}, {"status": "PENDING", "entity_id": "p_352xkSinKkHoj8JyIxZ14", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352xkTIrTzwR26aKI4EhO"}], "removed": [], "restored": []}	f	1	887	00-bf9aa01162f6d90ea3411f79fdf245e2-a5f7384d6c4b1ee3-00
01a20be9-e38e-776d-bf26-1d7e45842990	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_COMPLETED	2026-11-24 04:56:47.241+00	01a20be9-e354-74cb-958f-572f837daa06	5	back office	API_KEY	{"state": "ENDED"}	f	1	894	00-a24bc454deea32e18c0557055caa6d10-8b1a79d6a634f62d-00
01a20be9-e3d0-7be5-b4d6-22e090b5c29d	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_CREATED	2026-11-24 04:56:47.31+00	01a20be9-e3d0-7469-a488-7518fca5e637	1	back office	API_KEY	{"state": "CREATED"}	f	1	912	00-9f2a679e0d9383afde8d58fa37973fa8-7bf7a9c07e048d63-00
01a20be9-e3d0-7c00-8cad-f8f807162d85	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_STARTED	2026-11-24 04:56:47.31+00	01a20be9-e3d0-7469-a488-7518fca5e637	2	back office	API_KEY	{"state": "STARTED"}	f	1	912	00-9f2a679e0d9383afde8d58fa37973fa8-7bf7a9c07e048d63-00
01a20be9-e3dd-77b4-a5d4-fa64eaf69ec8	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_ENDPOINT_FAILING	2026-11-24 04:56:47.325+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T04:56:46.887Z", "waiting": 5, "url_host": "127.0.0.1:42267", "config_id": "whc_352xkSLam1TWPKcRrJdwO", "last_error": "the connection was closed before the whole answer had come"}	f	1	918	00-9f2a679e0d9383afde8d58fa37973fa8-7bf7a9c07e048d63-00
01a20be9-e3dd-77d4-81fc-9ac94766f954	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_ENDPOINT_FAILING	2026-11-24 04:56:47.325+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T04:56:46.887Z", "waiting": 5, "url_host": "127.0.0.1:42267", "config_id": "whc_352xkSMH7EIjX0F6dteAO", "last_error": "HTTP 503"}	f	1	918	00-9f2a679e0d9383afde8d58fa37973fa8-7bf7a9c07e048d63-00
01a20be9-efca-7cb1-a26c-00194bb9d749	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.376+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSLam1TWPKcRrJdwO"}	t	1	930	00-c46b58d4bf8378a91f32a975fe8a27d3-d5268629186e1836-00
01a20be9-efcf-7505-a51e-96df4b21cfce	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.382+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSLam1TWPKcRrJdwO"}	t	1	933	00-da3f06086204207ff83b7e3f294e50c1-174fb8e5ac33dad0-00
01a20be9-efd2-7d0c-9ff5-4b68c5d537fb	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.386+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSLam1TWPKcRrJdwO"}	t	1	936	00-dd6186be73f53f53778da9fb9f202127-84bea1a7de6bb6d2-00
01a20be9-efd6-7305-98c6-befb16900b59	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.389+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSLam1TWPKcRrJdwO"}	t	1	939	00-bf6aa54dfbdff06a66eca911e6bbe229-890809d5d53f5aa5-00
01a20be9-efda-7207-bdbd-a900b598b4d8	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.393+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSLam1TWPKcRrJdwO"}	t	1	942	00-4aec256d871ca1a66286dac7544594b3-e004277aa1caa57c-00
01a20be9-efe1-703a-a77a-28cc9dfc7169	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.4+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSKuUkAVXTfvrpqAD"}	t	1	946	00-0bf7954d9dc99c621f3d20455ad2ff78-3f61fdbcc1012c32-00
01a20be9-efe6-7076-9490-13e0cf7d74ea	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.405+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSKuUkAVXTfvrpqAD"}	t	1	949	00-e66f746449b80c32ac8080e2bb5e1bf9-63c41860beccf68c-00
01a20be9-efe8-7cef-bbbc-c3a26416638d	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.408+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSKuUkAVXTfvrpqAD"}	t	1	952	00-0f26ff4115068bf8f46247c0f973626b-5b3a63e107f4e7d5-00
01a20be9-efec-7c83-8fb4-e324e687497d	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.412+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSKuUkAVXTfvrpqAD"}	t	1	955	00-547749011bc7dc56d2b01e0764a3ae24-1db31a98e7f452d0-00
01a20be9-eff1-7b0a-8185-842f2c3086e4	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.417+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSKuUkAVXTfvrpqAD"}	t	1	958	00-808a9aad558a952afeaf4cb182627e73-6234f5f5e39abbf2-00
01a20be9-effd-713d-955b-ab5239ef254f	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_ENDPOINT_FAILING	2026-11-24 04:56:50.428+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T04:56:47.262Z", "waiting": 6, "url_host": "127.0.0.1:42267", "config_id": "whc_352xkSKuUkAVXTfvrpqAD", "last_error": "HTTP 503"}	f	1	965	00-0bf7954d9dc99c621f3d20455ad2ff78-3f61fdbcc1012c32-00
01a20be9-f060-7c9f-b231-03fb7bf2ea70	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_ENDPOINT_RECOVERED	2026-11-24 04:56:50.528+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T04:56:46.887Z", "waiting": 7, "url_host": "127.0.0.1:42267", "config_id": "whc_352xkSLam1TWPKcRrJdwO", "last_error": null}	f	1	983	00-4aec256d871ca1a66286dac7544594b3-e004277aa1caa57c-00
01a20be9-f070-7d2a-8ee1-bb98262befec	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.544+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSLam1TWPKcRrJdwO"}	t	1	989	00-03689251f6ef2b31db214a374ec4c413-d38df4c60c8bc571-00
01a20be9-f0af-7123-b7ef-eadc24aff877	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_TEST	2026-11-24 04:56:50.606+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352xkSKuUkAVXTfvrpqAD"}	t	1	1006	00-ff5b851193930bee4eb961f6a6a6c46d-7615a65fe650ceaa-00
01a20be9-f0bb-7ea4-99b3-7ba8620a0724	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_DELIVERY_FAILED	2026-11-24 04:56:50.614+00	\N	0	back office	API_KEY	{"event_id": "wh_352xkYbr2Yd8pIkMWQYGV", "config_id": "whc_352xkSKuUkAVXTfvrpqAD", "last_error": "given up with webhook.delivery.cancel", "delivery_id": "whd_352xkYbr2cVPHBCojjulO", "attempt_count": 0}	f	1	1015	00-5cad10357dbf2b0480a40358ed4fb419-3bc2af08b367381b-00
01a20be9-f0dc-787a-bba9-b20e1afb283f	01a20be9-de0f-77fc-947f-7454c9fd86d1	WEBHOOK_KEY_ACTIVATED	2026-11-24 04:56:50.648+00	\N	0	back office	API_KEY	{"key_id": "whk_20261124_02"}	f	1	1026	00-45ac2b8494211b3913f3b00330acc93a-97f2ae0b4c357f9d-00
01a20be9-f4f8-7358-bcdd-16997708cfb8	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_CREATED	2026-11-24 04:56:51.702+00	01a20be9-f4f7-7a95-ae2a-d909865096bf	1	back office	API_KEY	{"state": "CREATED"}	f	1	1084	00-0a7a787ebd4eb8831cd83d7deeb8d630-0493991699823921-00
01a20be9-f4f8-7376-b53d-a4a8552db0d7	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_STARTED	2026-11-24 04:56:51.702+00	01a20be9-f4f7-7a95-ae2a-d909865096bf	2	back office	API_KEY	{"state": "STARTED"}	f	1	1084	00-0a7a787ebd4eb8831cd83d7deeb8d630-0493991699823921-00
01a20be9-f508-7df9-9ad0-131a46f894cf	01a20be9-de0f-77fc-947f-7454c9fd86d1	WORKFLOW_COMPLETED	2026-11-24 04:56:51.719+00	01a20be9-f4f7-7a95-ae2a-d909865096bf	3	back office	API_KEY	{"state": "ENDED"}	f	1	1087	00-8c60ef5fd02f8f6cb653e7b6d66bcdd5-2027d1f561ce6e31-00
\.

COPY webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, revealed_at, activated_at, deleted_at) FROM stdin;
01a20be9-de0f-77fc-947f-7454c9fd86d1	whk_20261124_01	2026-11-24	1	DELETED	\\x016f445a5c21ce8739e09920cc751b6cb805fed1776d23180091ef488ac66da00bc783fdbc686bf1869cc4ad4bf31f06f1dd7964815887649905b0c444d36095ec686f18dae9313b9208b155d2	2026-11-24 04:56:46.545+00	2026-11-24 04:56:46.564+00	2026-11-24 04:56:46.576+00	2026-11-24 04:56:50.648+00
01a20be9-de0f-77fc-947f-7454c9fd86d1	whk_20261124_02	2026-11-24	2	ACTIVE	\\x016f445a5c5244fcf8cda2c0ba7d4fa2a90b6692a5b71679c47ee60fd5b8ebe6986c61b8c3e58285bc548e9675708655bfc517b59bd8a62a56eac5770562eac27b998241f2d2032683edacbb84	2026-11-24 04:56:50.628+00	2026-11-24 04:56:50.635+00	2026-11-24 04:56:50.648+00	\N
01a20be9-de0f-77fc-947f-7454c9fd86d1	whk_20261124_03	2026-11-24	3	INACTIVE	\\x016f445a5c7d25e7048892cf5740e05b7e92934b7f0f960a02d3c7004da5ccf26952568fcb0cab0234bcff2734f9e0a20d710060ed164658f40e291ba052360cf1b652530fb64f5a54c0004ede	2026-11-24 04:56:50.662+00	2026-11-24 04:56:50.67+00	\N	\N
\.

COPY webhook_key_day (account_id, day, n) FROM stdin;
01a20be9-de0f-77fc-947f-7454c9fd86d1	2026-11-24	3
\.

COPY webhook_ready (endpoint_id, account_id, closed, turn, paced_until) FROM stdin;
01a20be9-e10e-7630-bd40-4513baabcf41	01a20be9-de0f-77fc-947f-7454c9fd86d1	f	-infinity	\N
01a20be9-e119-74ae-be8f-e83e9ec105a1	01a20be9-de0f-77fc-947f-7454c9fd86d1	t	2026-11-24 04:56:50.421+00	\N
01a20be9-e120-7382-b161-560563eb0898	01a20be9-de0f-77fc-947f-7454c9fd86d1	f	-infinity	\N
01a20be9-e127-7505-963e-ac94b64202dc	01a20be9-de0f-77fc-947f-7454c9fd86d1	t	2026-11-24 04:56:47.316+00	\N
\.

COPY webhook_replay (id, account_id, endpoint_id, since, until, event_types, state, looked_at, counted, done, total, traceparent, started_at, ended_at, lease) FROM stdin;
01a20be9-f0f6-78c4-9ac8-1aff2dd59376	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e10e-7630-bd40-4513baabcf41	2026-01-01 00:00:00+00	2026-11-24 04:56:50.676+00	{WORKFLOW_COMPLETED}	COMPLETED	01a20be9-f0dc-787a-bba9-b20e1afb283f	t	1	1	00-28f7da96e2e0d8305867f6d8e43e2fdb-9e572c9be27b7e9c-00	2026-11-24 04:56:50.675+00	2026-11-24 04:56:51.513+00	2026-11-24 05:01:51.513+00
\.

COPY workflow (id, account_id, business_id, state, evaluation_score, score_calculated_at, score_facts, version, documents_calculated_at, documents_workflow_version, documents_business_version, documents_rule_set_id, event_sequence, created_at, started_at, ended_at, updated_at) FROM stdin;
01a20be9-e220-742f-92b0-c91c091badab	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e20e-78da-acea-0bd1eea45aac	STARTED	600.375000	2026-11-24 04:56:47.144+00	e7d37c0685d83570ab28f37f153bcba8d98737b208049ef39953bbd1b09144c7	3	2026-11-24 04:56:47.163+00	3	2	01a20be9-e206-7063-9f98-baea4a97e120	10	2026-11-24 04:56:46.878+00	2026-11-24 04:56:46.878+00	\N	2026-11-24 04:56:47.144+00
01a20be9-e349-7353-98dd-8d9abb52aa4d	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e20e-78da-acea-0bd1eea45aac	CREATED	\N	\N	\N	1	\N	\N	\N	\N	1	2026-11-24 04:56:47.173+00	\N	\N	2026-11-24 04:56:47.173+00
01a20be9-e34f-74a6-84a7-5234439fca06	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e219-792e-b1b6-eb2ba4960430	STARTED	\N	\N	\N	1	\N	\N	\N	\N	2	2026-11-24 04:56:47.181+00	2026-11-24 04:56:47.181+00	\N	2026-11-24 04:56:47.181+00
01a20be9-e354-74cb-958f-572f837daa06	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e20e-78da-acea-0bd1eea45aac	ENDED	600.375000	2026-11-24 04:56:47.209+00	e7d37c0685d83570ab28f37f153bcba8d98737b208049ef39953bbd1b09144c7	2	2026-11-24 04:56:47.228+00	2	2	01a20be9-e206-7063-9f98-baea4a97e120	5	2026-11-24 04:56:47.186+00	2026-11-24 04:56:47.186+00	2026-11-24 04:56:47.241+00	2026-11-24 04:56:47.241+00
01a20be9-e3d0-7469-a488-7518fca5e637	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e3cb-7560-8928-1b5a694cd918	STARTED	\N	\N	\N	2	\N	\N	\N	\N	2	2026-11-24 04:56:47.31+00	2026-11-24 04:56:47.31+00	\N	2026-11-24 04:56:47.31+00
01a20be9-f4f7-7a95-ae2a-d909865096bf	01a20be9-de0f-77fc-947f-7454c9fd86d1	01a20be9-e21c-73b9-914d-9b30659f1ec1	ENDED	\N	\N	\N	1	\N	\N	\N	\N	3	2026-11-24 04:56:51.702+00	2026-11-24 04:56:51.702+00	2026-11-24 04:56:51.719+00	2026-11-24 04:56:51.719+00
\.

